import { type CustomScalar, Scalar } from '@nestjs/graphql';
import { GraphQLError, Kind, type ValueNode } from 'graphql';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const EARLIEST = Date.UTC(1900, 0, 1);
// As the database's own checks have it: an offset can carry the last day of 9999 into a year of five digits, which would be
// stored and never read again.
const END = Date.UTC(9999, 11, 31);

const parse = (value: unknown): Date => {
  const date = typeof value === 'string' && ISO.test(value) ? new Date(value) : null;
  // JavaScript rolls 30 February over into March; that is a typing error, not a date.
  if (date === null || !sameDay(String(value), date))
    throw new GraphQLError('DateTime is a moment such as 2026-01-31T09:30:00Z, with its offset.');
  if (date.getTime() < EARLIEST || date.getTime() >= END)
    throw new GraphQLError('DateTime is a moment from 1900-01-01 to 9999-12-30, in UTC.');
  return date;
};

/** Shown for a moment that is stored and cannot be read: the last one that can. */
const UNREADABLE = '9999-12-31T23:59:59.999Z';

const sameDay = (text: string, date: Date): boolean => {
  if (Number.isNaN(date.getTime())) return false;
  const local = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(local.getTime()) && local.toISOString().slice(0, 10) === text.slice(0, 10);
};

/** A moment. Nest's own scalar turns nonsense into an invalid date, which surfaces later as a fault of ours. */
@Scalar('DateTime', () => Date)
export class DateTimeScalar implements CustomScalar<string, Date> {
  description = 'A moment in ISO 8601 with its offset, such as 2026-01-31T09:30:00Z.';

  parseValue(value: unknown): Date {
    return parse(value);
  }

  parseLiteral(node: ValueNode): Date {
    return parse(node.kind === Kind.STRING ? node.value : null);
  }

  serialize(value: unknown): string {
    if (!(value instanceof Date)) throw new Error('A DateTime field needs a Date.');
    // What no driver can read (a year of five digits) must not make a whole answer fail; nothing writes such a row now.
    return Number.isNaN(value.getTime()) ? UNREADABLE : value.toISOString();
  }
}
