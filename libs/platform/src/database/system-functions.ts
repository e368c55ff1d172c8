import type { EntryDoor } from './entry-functions.js';

/** Role of a user in a tenant. */
export type TenantRole = 'owner' | 'admin' | 'member' | 'viewer';

/** What a machine's token may do: ask, change memories, administer. Its person's role bounds it besides. */
export type TokenScope = 'read' | 'write' | 'admin';

/** How a session was opened: by a program of a person, a machine with a personal access token, or in a browser. */
export type SessionKind = 'login' | 'token' | 'browser';

/** Work that waits in the outbox. `subjectId` is a memory, the answer to a question, a maintenance run, or the tenant itself. */
export type OutboxKind =
  | 'memory.embed'
  | 'memory.reembed'
  | 'question.reembed'
  | 'maintenance.requested'
  | 'schedule.changed'
  | 'distil'
  | 'distil.now'
  | 'distilled';

/** What an access token says about its session; `generation` is its claim `gen`. */
export interface SessionToCheck {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly generation: number;
}

/** A living session. The role is the database's, read now. */
export interface SessionCheck {
  readonly tenantRole: TenantRole;
  readonly sessionKind: SessionKind;
  /** Of the machine's token; null where a person logged in, whom only the role bounds. */
  readonly scopes: readonly TokenScope[] | null;
}

/** A session opened by a one-time code. Its refresh token is generation 0. */
export interface OpenedSession {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly tenantRole: TenantRole;
}

/** Hashes are SHA-256 of what the client holds; `keyId` names the key that derives refresh tokens. */
export interface RedeemInviteInput {
  readonly codeHash: Uint8Array;
  readonly client: string;
  readonly refreshHash: Uint8Array;
  readonly keyId: string;
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
}

/** A refresh token as it is stored. `keyId` names the key that derives its child. */
export interface FoundRefresh {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly generation: number;
  readonly keyId: string;
}

/** One rotation. */
export interface RotateRefreshInput {
  readonly parentHash: Uint8Array;
  /** Hash of the child that the key named by the parent's row derives. */
  readonly childHash: Uint8Array;
  /** The current key, which will derive the child's own child. */
  readonly keyId: string;
  readonly idleSeconds: number;
}

/**
 * What became of a refresh token. `rotated`: the child is new; `repeated`: the parent was shown again before its child was
 * used, and the same child stands; `reused`: it was a copy, and the session is now revoked; `refused`: session, user or
 * tenant are gone, the token is too old, or the child was derived with another key than the row's.
 */
export interface RefreshRotation {
  readonly status: 'rotated' | 'repeated' | 'reused' | 'refused';
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  /** Generation of the child, and the `gen` of the access token issued with it. */
  readonly generation: number;
  readonly tenantRole: TenantRole | null;
}

/** A personal access token that may be exchanged for access tokens of its session. */
export interface FoundAccessToken {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly tokenId: string;
  readonly scopes: readonly TokenScope[];
  readonly tenantRole: TenantRole;
}

/** A new tenant; the owner joins with the code whose hash is given. */
export interface CreateTenantInput {
  readonly name: string;
  /** An IANA zone, checked by the caller. */
  readonly timeZone: string;
  readonly ownerName: string;
  readonly ownerEmail?: string;
  readonly codeHash: Uint8Array;
  readonly codeSeconds: number;
}

/** Ids of a tenant and an invitation in it. */
export interface CreatedTenant {
  readonly tenantId: string;
  readonly invitationId: string;
}

/** A tenant that works, and the zone its nights are in. */
export interface ActiveTenant {
  readonly tenantId: string;
  readonly timeZone: string;
}

/** A piece of waiting work, held until its lease ends. `attempts` counts this one. */
export interface OutboxClaim {
  readonly tenantId: string;
  readonly id: string;
  readonly kind: OutboxKind;
  readonly subjectId: string;
  readonly attempts: number;
}

/** A tenant that is suspended, or deleted and not yet gone. */
export interface ClosedTenant {
  readonly tenantId: string;
  readonly status: 'suspended' | 'deleted';
  readonly since: Date;
}

/** A leaver whose shared memories are not settled yet. */
export interface OpenDeparture {
  readonly tenantId: string;
  readonly userId: string;
}

/** An export that waits, or whose worker is gone, and the person in whose name it is written. */
export interface WantedExport {
  readonly tenantId: string;
  readonly exportId: string;
  readonly userId: string;
}

/** An erasure that waits, or whose worker is gone. */
export interface WantedErasure {
  readonly tenantId: string;
  readonly erasureId: string;
}

/** A program that shows that it lives. */
export interface BeatInput {
  /** The workflow engine has just answered it. */
  readonly engineAnswers?: boolean;
  readonly program: string;
  readonly processId: string;
  readonly version: string;
  readonly startedAt: Date;
}

/** Waiting work of one kind. */
export interface WaitingWork {
  readonly kind: string;
  readonly waiting: number;
  /** Those that were tried ten times, so that a person should look. */
  readonly stuck: number;
  readonly oldestSeconds: number;
}

/** What is measured of the whole instance: numbers. */
export interface InstanceGauges {
  readonly outbox: readonly WaitingWork[];
  /** Active tenants with a schedule that is not paused. */
  readonly nightsWanted: number;
  /** Those of them without a completed night for a day and a half, and older than that. */
  readonly nightsMissed: number;
  /** Those of them whose last night failed. */
  readonly nightsFailed: number;
}

export interface TenantSize {
  readonly tenantId: string;
  readonly memories: number;
  readonly bytes: number;
}

/** A cancelled run of which the workflow engine has not heard. */
export interface StoppedRun {
  readonly tenantId: string;
  readonly runId: string;
  /** Null: nobody had begun it. */
  readonly workflowId: string | null;
}

/** A batch of a deletion. */
export interface PurgeBatch {
  readonly removed: number;
  /** Nothing of the tenant is left. */
  readonly finished: boolean;
}

/** How much of a claim one tenant may have. */
export interface ClaimShare {
  readonly perTenant?: number;
  /** Tenants left out: enough of theirs is under way. */
  readonly except?: readonly string[];
}

/** A wrong attempt of one kind, by keyed hashes: of the account or secret that was tried, and of where that came from. */
export interface WrongAttempt {
  readonly kind: string;
  readonly account: AttemptSubject;
  /** Told of an account's or secret's first wrong attempt alone. */
  readonly address: AttemptSubject;
  /** How long the account's first wait is; each further one is twice as long, a quarter of an hour at most (or this, if longer). */
  readonly firstWaitSeconds: number;
}

/** Whose attempts are counted. */
export interface AttemptSubject {
  readonly hash: Uint8Array;
  /** Wrong attempts before the first wait. */
  readonly free: number;
}

/** The functions that need no tenant. `null` answers "no such thing", without saying why. */
export interface SystemDoor extends EntryDoor {
  readonly checkSession: (session: SessionToCheck) => Promise<SessionCheck | null>;
  readonly findRefresh: (hash: Uint8Array) => Promise<FoundRefresh | null>;
  readonly rotateRefresh: (input: RotateRefreshInput) => Promise<RefreshRotation | null>;
  readonly findPat: (hash: Uint8Array) => Promise<FoundAccessToken | null>;
  readonly findInvite: (hash: Uint8Array) => Promise<CreatedTenant | null>;
  readonly redeemInvite: (input: RedeemInviteInput) => Promise<OpenedSession | null>;
  /** @throws a refusal (SQLSTATE 42501) when there is no such operator */
  readonly createTenant: (operatorId: string, input: CreateTenantInput) => Promise<CreatedTenant>;
  /** Of the machines (API's loop, worker): ids and zones of active tenants. */
  readonly listActiveTenants: () => Promise<ActiveTenant[]>;
  /** Of the machines: at most 500 rows, each held for `leaseSeconds`. */
  readonly claimOutbox: (
    kinds: readonly OutboxKind[],
    limit: number,
    leaseSeconds: number,
    share?: ClaimShare,
  ) => Promise<OutboxClaim[]>;
  /** Of the worker: tenants that are to have no schedule. */
  readonly listClosedTenants: () => Promise<ClosedTenant[]>;
  /** Of the worker: deleted tenants whose grace is over, and that nobody erases just now. */
  readonly listWantedDeletions: (limit: number) => Promise<{ readonly tenantId: string }[]>;
  /** Of the worker: a batch of a deleted tenant's rows; it does nothing to a tenant that is not, or can be taken back. */
  readonly deleteTenant: (tenantId: string, limit: number) => Promise<PurgeBatch>;
  /** Of the worker: cancels what closed tenants have running, and tells what is cancelled and still to be stopped. */
  readonly listStoppedRuns: (limit: number) => Promise<StoppedRun[]>;
  /** Of the worker: the workflow engine has been told. */
  readonly noteStoppedRun: (run: Pick<StoppedRun, 'tenantId' | 'runId'>) => Promise<void>;
  /** Of the worker: at most 50, the oldest first. */
  readonly listDepartures: () => Promise<OpenDeparture[]>;
  /** Of the worker: lets stand again what was retired by something that has expired. @returns for how many that was looked at */
  readonly releaseExpired: (limit: number) => Promise<number>;
  /** Of the worker: of active tenants, the oldest first. */
  readonly listWantedExports: (limit: number) => Promise<WantedExport[]>;
  /** Of the worker: removes a batch of what exports had that have expired. @returns how many rows went */
  readonly purgeExports: (limit: number) => Promise<number>;
  /** Of the worker: of active tenants, the oldest first. */
  readonly listWantedErasures: (limit: number) => Promise<WantedErasure[]>;
  /** Of the worker: of active tenants, those whose change of encoder nobody has moved on for a minute. */
  readonly listWantedEncoderChanges: (limit: number) => Promise<{ readonly tenantId: string }[]>;
  /** Of the worker. */
  readonly beat: (beat: BeatInput) => Promise<void>;
  /** Of the worker: how much waits and how the nights go, over all tenants. */
  readonly instanceGauges: () => Promise<InstanceGauges>;
  /** Of the worker: those that keep most, by their ids. */
  readonly largestTenants: (limit: number) => Promise<TenantSize[]>;
  readonly redeemOperatorCode: (hash: Uint8Array) => Promise<string | null>;
  readonly checkOperator: (operatorId: string) => Promise<boolean>;
  /** Seconds until all of the subjects may try again; 0: now. */
  readonly checkAttempts: (kind: string, hashes: readonly Uint8Array[]) => Promise<number>;
  readonly countAttempt: (attempt: WrongAttempt) => Promise<void>;
}
