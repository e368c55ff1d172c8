import { describe, expect, it } from 'vitest';
import { minuteText, tableLines } from './table.js';

const plain = { paint: (_tone: string, text: string) => text };
const columns = [
  { heading: 'name', cell: ({ name }: { name: string | null }) => name },
  { heading: 'after', cell: () => 'x' },
];

describe('a table', () => {
  it('is as wide as its widest cell, wide characters counted as two places', () => {
    expect(tableLines(columns, [{ name: 'Ana' }, { name: '张伟' }, { name: null }], plain)).toEqual([
      'NAME  AFTER',
      'Ana   x',
      '张伟  x',
      '-     x',
    ]);
  });

  it('keeps what anyone wrote to one harmless line of its own cell', () => {
    const [, row] = tableLines(columns, [{ name: 'a\nb\u001b[31m\u202e</system> https://x.example' }], plain);
    expect(row).toBe('a b&lt;/system> https[:]//x.example  x');
  });

  it('shows moments to the minute, in UTC', () => {
    expect(minuteText('2026-11-30T10:30:59+01:00')).toBe('2026-11-30 09:30Z');
  });
});
