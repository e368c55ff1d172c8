import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { perItemAnswered } from '../graphql/limits/cost.js';
import { ImportInput, ImportReport } from './import.types.js';
import { ImportsService } from './imports.service.js';

/** As a capture. */
const IMPORT_POINTS = 20;

const itemsOf = ({ input }: Readonly<Record<string, unknown>>): unknown =>
  typeof input === 'object' && input !== null ? Reflect.get(input, 'items') : undefined;

@Resolver(() => ImportReport)
export class ImportResolver {
  constructor(private readonly imports: ImportsService) {}

  @ForMachines('write')
  @Mutation(() => ImportReport, {
    description:
      "Takes in up to 100 memories of another product or of an export, as the caller's own captures; each succeeds or fails on its own. A dry run unless `execute`. What was imported before and says the same stays as it is.",
    complexity: perItemAnswered(IMPORT_POINTS, itemsOf),
  })
  importMemories(
    @CurrentCaller() caller: Caller,
    @Args('input', { type: () => ImportInput }) input: ImportInput,
  ): Promise<ImportReport> {
    return this.imports.import(caller, input);
  }
}
