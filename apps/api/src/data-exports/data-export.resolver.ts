import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { bytes, upTo } from '../graphql/limits/cost.js';
import { DataExport, ExportDataInput } from './data-export.types.js';
import { DataExportsService, MAX_KEPT_EXPORTS } from './data-exports.service.js';

/** The worker reads all of it. */
const EXPORT_COST = 500;
const PART_BYTES = 768 * 1024;

@Resolver(() => DataExport)
export class DataExportResolver {
  constructor(private readonly exports: DataExportsService) {}

  @ForMachines('admin')
  @Mutation(() => DataExport, {
    description:
      'Asks for an export of what the caller may see; the worker writes it at once, and it is kept for a week. One that is under way is answered instead of a second.',
    complexity: EXPORT_COST,
  })
  exportData(
    @CurrentCaller() caller: Caller,
    @Args('input', { type: () => ExportDataInput }) input: ExportDataInput,
  ): Promise<DataExport> {
    return this.exports.request(caller, input);
  }

  @ForMachines('admin')
  @Query(() => [DataExport], {
    description: "The caller's exports that are kept, latest first.",
    complexity: upTo(MAX_KEPT_EXPORTS),
  })
  dataExports(@CurrentCaller() caller: Caller): Promise<DataExport[]> {
    return this.exports.list(caller);
  }

  @ForMachines('admin')
  @Query(() => DataExport)
  dataExport(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<DataExport> {
    return this.exports.byId(caller, id);
  }

  @ForMachines('admin')
  @Query(() => String, {
    description: 'A part of a file of a completed export; they are numbered from 0.',
    complexity: bytes(PART_BYTES),
  })
  exportPart(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
    @Args('file', { type: () => String }) file: string,
    @Args('part', { type: () => Int }) part: number,
  ): Promise<string> {
    return this.exports.part(caller, id, file, part);
  }
}
