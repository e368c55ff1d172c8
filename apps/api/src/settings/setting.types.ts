import { Field, Float, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';

export const SettingTypeEnum = { NUMBER: 'number', INTEGER: 'integer', CHOICE: 'choice' } as const;
registerEnumType(SettingTypeEnum, { name: 'SettingType' });
export const SettingScopeEnum = { TENANT: 'tenant', PROJECT: 'project' } as const;
registerEnumType(SettingScopeEnum, {
  name: 'SettingScope',
  valuesMap: {
    TENANT: { description: 'Set for the whole tenant.' },
    PROJECT: { description: 'Set for the tenant, and over it for a project.' },
  },
});

@ObjectType({ description: 'Values are written as texts: 0.3, 5, bounded.' })
export class Setting {
  @Field(() => String)
  key!: string;

  @Field(() => SettingTypeEnum)
  type!: 'number' | 'integer' | 'choice';

  @Field(() => SettingScopeEnum)
  scope!: 'tenant' | 'project';

  @Field(() => String)
  summary!: string;

  @Field(() => String, { nullable: true })
  unit!: string | null;

  @Field(() => Float, { nullable: true })
  min!: number | null;

  @Field(() => Float, { nullable: true })
  max!: number | null;

  @Field(() => [String])
  choices!: string[];

  @Field(() => String, { nullable: true, description: 'None: the card of the encoder decides, or never.' })
  defaultValue!: string | null;

  @Field(() => String, { nullable: true })
  tenantValue!: string | null;

  @Field(() => String, { nullable: true, description: 'Of the project that was asked for.' })
  projectValue!: string | null;

  @Field(() => String, { nullable: true, description: 'What is in force.' })
  value!: string | null;
}

@InputType()
export class SetSettingInput {
  @Field(() => String)
  key!: string;

  @Field(() => String, { description: 'Written as a text: 0.3, 5, bounded.' })
  value!: string;

  @Field(() => String, { nullable: true, description: 'For this project alone.' })
  project?: string | null;
}

@InputType()
export class ResetSettingInput {
  @Field(() => String)
  key!: string;

  @Field(() => String, { nullable: true })
  project?: string | null;
}
