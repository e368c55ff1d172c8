import { Field, ID, InputType, ObjectType } from '@nestjs/graphql';
import { PageInfo } from '../graphql/paging.js';

@ObjectType({ description: 'One thing that was done; ids and names of fields, never contents.' })
export class AuditEntry {
  @Field(() => String)
  seq!: string;

  @Field(() => Date)
  at!: Date;

  @Field(() => String, { description: 'user, operator or system.' })
  actorKind!: string;

  @Field(() => ID, { nullable: true })
  actorId!: string | null;

  @Field(() => String)
  action!: string;

  @Field(() => String)
  subjectKind!: string;

  @Field(() => ID, { nullable: true })
  subjectId!: string | null;

  @Field(() => String, { description: 'JSON.' })
  details!: string;

  @Field(() => String, { description: 'SHA-256 in hex, over this entry and the hash of the one before.' })
  hash!: string;
}

@ObjectType()
export class AuditPage {
  @Field(() => [AuditEntry])
  nodes!: AuditEntry[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@ObjectType({
  description: 'Rows as JSON lines, oldest first, with their hashes: what a file of the audit is made of.',
})
export class AuditExport {
  @Field(() => [String])
  lines!: string[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@InputType()
export class AuditFilter {
  @Field(() => String, { nullable: true, description: 'Such as user.removed.' })
  action?: string | null;

  @Field(() => ID, { nullable: true })
  actorId?: string | null;

  @Field(() => ID, { nullable: true })
  subjectId?: string | null;

  @Field(() => Date, { nullable: true, description: 'This moment and later.' })
  from?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Before this moment.' })
  to?: Date | null;
}

@InputType({ description: 'A head that was kept elsewhere: the last row of an export, or of an earlier check.' })
export class KeptHeadInput {
  @Field(() => String)
  seq!: string;

  @Field(() => String, { description: 'SHA-256 in hex.' })
  hash!: string;
}
