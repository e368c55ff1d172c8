import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { EXPORT_FILES, type ExportFileName, type ExportKind, type ExportStatus } from '@tempera/platform';
import { upTo } from '../graphql/limits/cost.js';
import { RunStatusEnum } from '../maintenance/maintenance.types.js';

export const ExportKindEnum = { TENANT: 'tenant', PROJECT: 'project', MINE: 'mine' } as const;
registerEnumType(ExportKindEnum, {
  name: 'ExportKind',
  valuesMap: {
    TENANT: { description: 'All that the asker sees of the tenant (owner, admin).' },
    PROJECT: { description: 'What a project shares (its maintainers).' },
    MINE: { description: "The asker's own memories, private and shared, with their votes and questions." },
  },
});

@InputType()
export class ExportDataInput {
  @Field(() => ExportKindEnum)
  kind!: ExportKind;

  @Field(() => String, { nullable: true, description: "The project's slug, for kind PROJECT." })
  project?: string | null;
}

@ObjectType()
export class ExportFile {
  @Field(() => String)
  name!: ExportFileName;

  @Field(() => Int, { description: 'Of the whole file, in UTF-8.' })
  bytes!: number;

  @Field(() => Int)
  lines!: number;

  @Field(() => String, { description: 'Hexadecimal.' })
  sha256!: string;

  @Field(() => Int, { description: 'The file is its parts one after the other: `exportPart` from 0 on.' })
  parts!: number;
}

@ObjectType()
export class DataExport {
  @Field(() => ID)
  id!: string;

  @Field(() => ExportKindEnum)
  kind!: ExportKind;

  @Field(() => String, { nullable: true, description: "The project's slug." })
  project!: string | null;

  @Field(() => RunStatusEnum)
  status!: ExportStatus;

  @Field(() => Int, { description: 'Memories written so far.' })
  memories!: number;

  @Field(() => [ExportFile], { description: 'Once it is completed.', complexity: upTo(EXPORT_FILES.length) })
  files!: ExportFile[];

  @Field(() => String, { nullable: true, description: 'manifest.json, once it is completed.' })
  manifest!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it failed.' })
  failure!: string | null;

  @Field(() => Date)
  requestedAt!: Date;

  @Field(() => Date, { nullable: true })
  finishedAt!: Date | null;

  @Field(() => Date, { description: 'When it is removed.' })
  expiresAt!: Date;
}
