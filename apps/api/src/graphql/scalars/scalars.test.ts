import { expect, it } from 'vitest';
import { DateTimeScalar } from './date-time.scalar.js';
import { GraphqlDate } from './date.scalar.js';

const dateTime = new DateTimeScalar();

it.each([
  ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T09:30:00.123456+02:00', '2026-01-31T07:30:00.123Z'],
  ['2026-01-31T09:30Z', '2026-01-31T09:30:00.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
])('reads %s as a moment', (text, moment) => {
  expect(dateTime.serialize(dateTime.parseValue(text))).toBe(moment);
});

it.each([
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-31T25:00:00Z',
  '2026-01-31',
  '2026-01-31T09:30:00',
  '1899-12-31T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '9999-12-31T23:59:59-12:00',
  '9999-12-31T00:00:00Z',
  'now',
  '',
  5,
  null,
  {},
])('refuses %j as a moment', (value) => {
  expect(() => dateTime.parseValue(value)).toThrow('moment');
});

it('reads days that exist and refuses others', () => {
  expect(GraphqlDate.parseValue('2024-02-29')).toBe('2024-02-29');
  for (const value of ['2025-02-29', '2026-1-1', '2026-01-31T00:00:00Z', '', 5, null]) {
    expect(() => GraphqlDate.parseValue(value)).toThrow('day');
  }
});

it('tells a moment or a day out of range from one that is written wrongly', () => {
  for (const early of ['0001-01-01T00:00:00Z', '1899-12-31T23:59:59Z', '9999-12-31T00:00:00Z'])
    expect(() => dateTime.parseValue(early)).toThrow('from 1900-01-01 to 9999-12-30');
  expect(() => dateTime.parseValue('1900-02-30T00:00:00Z')).toThrow('with its offset');
  expect(() => GraphqlDate.parseValue('0001-01-01')).toThrow('from 1900-01-01 on');
});
