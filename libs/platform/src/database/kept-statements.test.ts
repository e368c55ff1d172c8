import { describe, expect, it } from 'vitest';
import { keptName } from './kept-statements.js';

const name = (sql: string): string => keptName({ sql });

describe('a statement whose plan is kept', () => {
  it('is one that is marked, by a name of its own that the same text has again', () => {
    expect(name('/* kept */ select $1')).toMatch(/^kept_[0-9a-f]{16}$/);
    expect(name('\n  /* kept */ select $1')).toMatch(/^kept_/);
    expect(name('/* kept */ select $1')).toBe(name('/* kept */ select $1'));
    expect(name('/* kept */ select $1')).not.toBe(name('/* kept */ select $2'));
    expect(name('select $1 /* kept */')).toBe('');
  });

  it('is one of a bounded number, so that a text that is new each time fills no connection', () => {
    const made = Array.from({ length: 1_000 }, (_, at) => name(`/* kept */ select ${at}`));
    expect(made.filter((one) => one !== '').length).toBeLessThanOrEqual(200);
    expect(name('/* kept */ select $1')).toMatch(/^kept_/);
  });
});
