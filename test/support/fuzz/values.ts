import fc, { type GeneratorValue } from 'fast-check';
import {
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';

/** Draws values from fast-check one by one, so that a document can be made step by step. */
export type Draw = GeneratorValue;

/** Names of things that exist, somebody's or nobody's: what an attacker would put where a name is asked for. */
export interface Names {
  readonly ids: readonly string[];
  readonly slugs: readonly string[];
  readonly words: readonly string[];
}

const HOSTILE_TEXTS = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\ud800',
    'x'.repeat(70_000),
    '漢'.repeat(200),
    '\u202e\u200b\u001b[31m',
    'a\u0300'.repeat(50),
  ],
  ...["'; drop table memory; --", "' or '1'='1", '%', '_', '\\', '%00%ff\\', '../../etc/passwd', '${7*7}', '{{7*7}}'],
  ...['null', 'undefined', '__proto__', 'constructor', '-1', '1e309', 'NaN', '</memory>', '<script>alert(1)</script>'],
];
const WRONG: readonly unknown[] = [
  ...[5, -1, 1.5, 9e15, 'x', '', true, false, null, [], [[1]], [null], {}, { id: 1 }, { __proto__: null, x: {} }],
  ...[Array.from({ length: 1_100 }, () => 'x'), 'a\ud800'],
];
const MOMENTS = [
  ...['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.123456789+14:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ...['275760-09-13T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-31', 'yesterday', '1e3'],
];
const DAYS = ['2026-01-31', '0001-01-01', '9999-12-31', '2026-02-30', '31.01.2026', 'today'];

const arbitraries = {
  percent: () => fc.nat(99),
  text: () => fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: 'grapheme', maxLength: 30 })),
  binary: () => fc.string({ unit: 'binary', maxLength: 30 }),
  below: (size: number) => fc.nat(Math.max(size - 1, 0)),
  int: () => fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }),
  float: () => fc.double(),
  uuid: () => fc.uuid(),
};

/** True so many times in a hundred. */
export const chance = (draw: Draw, percent: number): boolean => draw(arbitraries.percent) < percent;

/** One of these. */
export const pick = <T>(draw: Draw, from: readonly T[]): T => {
  const chosen = from[draw(arbitraries.below, from.length)];
  if (chosen === undefined && from.length === 0) throw new Error('nothing to pick from');
  return chosen as T;
};

const text = (draw: Draw, { slugs, words, ids }: Names): string => {
  if (chance(draw, 45)) return pick(draw, [...slugs, ...words]);
  if (chance(draw, 15)) return pick(draw, ids);
  if (chance(draw, 60)) return pick(draw, HOSTILE_TEXTS);
  return chance(draw, 80) ? draw(arbitraries.text) : draw(arbitraries.binary);
};

const id = (draw: Draw, names: Names): string => {
  if (chance(draw, 75)) return pick(draw, names.ids);
  if (chance(draw, 40)) return pick(draw, names.ids).slice(0, 8);
  return chance(draw, 60) ? draw(arbitraries.uuid) : text(draw, names);
};

const number = (draw: Draw): number => {
  if (chance(draw, 75)) return pick(draw, [1, 2, 3, 5, 10]);
  return chance(draw, 60) ? pick(draw, [0, -1, 100, 101, 2_147_483_647, -2_147_483_648]) : draw(arbitraries.int);
};

/** A finite one, since JSON knows no other. */
const fraction = (draw: Draw): number => {
  const drawn = draw(arbitraries.float);
  return Number.isFinite(drawn) && chance(draw, 50) ? drawn : number(draw);
};

const scalars: Readonly<Record<string, (draw: Draw, names: Names) => unknown>> = {
  ID: id,
  String: text,
  Int: number,
  Float: fraction,
  Boolean: (draw) => chance(draw, 50),
  DateTime: (draw) => pick(draw, MOMENTS),
  Date: (draw) => pick(draw, DAYS),
};

/** A value of the right type with whatever the type allows in it. */
export const valueOf = (draw: Draw, type: GraphQLInputType, names: Names): unknown => {
  if (isNonNullType(type)) return valueOf(draw, type.ofType, names);
  if (isListType(type)) {
    return Array.from({ length: pick(draw, [0, 1, 1, 2, 3]) }, () => valueOf(draw, type.ofType, names));
  }
  if (isEnumType(type)) return pick(draw, type.getValues()).name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isRequiredInputField(field) || chance(draw, 30));
    return Object.fromEntries(fields.map((field) => [field.name, valueOf(draw, field.type, names)]));
  }
  const make = scalars[getNamedType(type).name];
  if (make === undefined) throw new Error(`no values for the scalar ${String(type)}`);
  return make(draw, names);
};

/** A value of some other type. */
export const wrongValue = (draw: Draw): unknown => pick(draw, WRONG);

/** A value as it is written in a document; what stands where an enum is asked for has no quotes. */
export const literal = (value: unknown, type?: GraphQLInputType): string => {
  const inner = type !== undefined && isNonNullType(type) ? type.ofType : type;
  if (Array.isArray(value)) {
    const item = inner !== undefined && isListType(inner) ? inner.ofType : undefined;
    return `[${value.map((one) => literal(one, item)).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = inner !== undefined && isInputObjectType(inner) ? inner.getFields() : {};
    return `{${Object.entries(value)
      .map(([name, one]) => `${name}: ${literal(one, fields[name]?.type)}`)
      .join(', ')}}`;
  }
  if (typeof value === 'string' && inner !== undefined && isEnumType(inner)) return value;
  return JSON.stringify(value) ?? 'null';
};
