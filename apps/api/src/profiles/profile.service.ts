import { Inject, Injectable } from '@nestjs/common';
import { AppError, cutToTokens } from '@tempera/client-kit';
import { daysBetween, PROFILE_LINE_TOKENS } from '@tempera/core';
import {
  type Doors,
  findProjectAccess,
  type MemoryRecord,
  type ProfileSubject,
  type ProjectAccess,
  readMemories,
  readProfile,
  readSettings,
  refreshProfile,
  tenantDate,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { toMemory } from '../memories/memory.mapper.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { noSuchProject, projectArchived } from '../projects/require-project.js';
import { againIfVanished } from '../retrieval/again-if-vanished.js';
import type { Profile, ProfileLine } from './profile.types.js';

/** What is worth knowing about the caller or a project; always read as the caller, so that it tells nothing that is hidden. */
@Injectable()
export class ProfileService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError `not-found` for a project that is not there for the caller */
  read(caller: Caller, slug: string | null): Promise<Profile> {
    return this.doors.asTenant(caller, async (tx) => this.show(tx, caller, await placeOf(tx, caller, slug)));
  }

  /** @throws AppError `not-found`; `forbidden` for who only reads the project, `conflict` for an archived one */
  refresh(caller: Caller, slug: string | null): Promise<Profile> {
    const { tenantId } = caller;
    // What is erased in the same moment cannot be named any more; another look does without it.
    return againIfVanished(() =>
      this.doors.asTenant(caller, async (tx) => {
        const place = await placeOf(tx, caller, slug);
        if (place.project !== null) requireContributor(place.project);
        const at = this.clock.now();
        const { bellman } = await readSettings(tx, tenantId, null);
        const runDate = await tenantDate(tx, tenantId, at);
        await refreshProfile(tx, { tenantId, subject: place.subject, runDate, decayRate: bellman.decayRate, at });
        return this.show(tx, caller, place);
      }),
    );
  }

  private async show(tx: Tx, caller: Caller, { project, subject }: Place): Promise<Profile> {
    const now = this.clock.now();
    const { tenantId, userId } = caller;
    const stored = await readProfile(tx, tenantId, subject, await tenantDate(tx, tenantId, now));
    const ids = stored.lines.map(({ id }) => id);
    const records = await readMemories(tx, tenantId, ids);
    const lines = stored.lines.flatMap(({ id, part }): ProfileLine[] => {
      const record = records.get(id);
      if (record === undefined) return [];
      const ageDays = Math.floor(daysBetween(record.endedAt, now));
      return [{ part, memory: toMemory(record, userId, now), text: tellShortly(record), ageDays }];
    });
    return { project: project?.slug ?? null, refreshedAt: stored.refreshedAt, lines };
  }
}

interface Place {
  readonly project: ProjectAccess | null;
  readonly subject: ProfileSubject;
}

const placeOf = async (tx: Tx, { tenantId, userId }: Caller, slug: string | null): Promise<Place> => {
  if (slug === null) return { project: null, subject: { of: 'user', id: userId } };
  const project = await findProjectAccess(tx, tenantId, slug);
  if (project === null) throw noSuchProject();
  return { project, subject: { of: 'project', id: project.id } };
};

const requireContributor = ({ mayCapture, isArchived }: ProjectAccess): void => {
  if (!mayCapture) {
    throw new AppError(
      'forbidden',
      'readers-do-not-refresh',
      'You may read this profile, but not have it chosen anew.',
    );
  }
  if (isArchived) throw projectArchived();
};

/** Of work, whose text can be long, the title is enough. */
const tellShortly = ({ kind, title, text }: MemoryRecord): string =>
  cutToTokens((kind === 'episode' ? title : text).replace(/\s+/gu, ' ').trim(), PROFILE_LINE_TOKENS);
