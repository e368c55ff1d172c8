import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AuditChain, rawFields, readHead } from './audit-chain.js';

const TENANT = '"0192f0c4-0000-4000-8000-000000000001"';
/** As Postgres writes jsonb: a space behind comma and colon, keys by length, numbers as they were given. */
const DETAILS = [
  '{}',
  '{"n": 1.50, "fields": ["a, b", "}"], "quote": "\\" }, {"}',
  '{"10": 1, "9": 2}',
  '{"ключ": null}',
];

/** A chain of rows as the service exports them. */
const exported = (details: readonly string[] = DETAILS): string[] => {
  let previous = '0'.repeat(64);
  return details.map((detail, index) => {
    const seq = index + 1;
    const micros = 1_764_495_000_000_000 + seq;
    const hashed = `[${TENANT}, ${seq}, ${micros}, "user", null, "user.invited", "invitation", ${TENANT}, ${detail}]`;
    const hash = createHash('sha256').update(Buffer.from(previous, 'hex')).update(hashed).digest('hex');
    const line = `{"at": "2026-11-30T09:30:00.000001+00:00", "seq": ${seq}, "hash": "${hash}", "actor": null, "action": "user.invited", "tenant": ${TENANT}, "details": ${detail}, "subject": ${TENANT}, "atMicros": ${micros}, "actorKind": "user", "subjectKind": "invitation", "previousHash": "${previous}"}`;
    previous = hash;
    return line;
  });
};

const verdictOf = (lines: readonly string[], head: string | null = null): ReturnType<AuditChain['verdict']> => {
  const chain = new AuditChain(head === null ? null : readHead(head));
  for (const line of lines) chain.add(line);
  return chain.verdict();
};

describe("the audit's chain, worked out on this side", () => {
  it('is whole as the service writes it, whatever stands in the details', () => {
    expect(verdictOf(exported())).toMatchObject({ intact: true, checked: 4, headSeq: '4' });
    expect(verdictOf([])).toMatchObject({ intact: true, checked: 0, headSeq: null });
  });

  it('M7: shows every change of a row, of its place and of its order', () => {
    const lines = exported();
    const changed = (at: number, from: string, to: string): string[] =>
      lines.map((line, index) => (index === at ? line.replace(from, to) : line));
    const cases: [string[], string, string][] = [
      [changed(1, '1.50', '1.5'), '2', 'CONTENT'],
      [changed(1, '"user"', '"system"'), '2', 'CONTENT'],
      [changed(2, '{"10": 1, "9": 2}', '{"9": 2, "10": 1}'), '3', 'CONTENT'],
      [changed(0, '"actor": null', `"actor": ${TENANT}`), '1', 'CONTENT'],
      [lines.toSpliced(1, 1), '3', 'GAP'],
      [[lines[1] ?? '', lines[0] ?? ''], '2', 'GAP'],
      [[...lines.slice(0, 2), ...exported(['{"other": 1}', '{}', '{}']).slice(2)], '3', 'LINK'],
    ];
    for (const [forged, firstBadSeq, fault] of cases) {
      expect(verdictOf(forged)).toMatchObject({ intact: false, firstBadSeq, fault });
    }
  });

  it('shows a tail that was cut off, and a chain that was replaced, against a head kept elsewhere', () => {
    const { headSeq, headHash } = verdictOf(exported());
    const head = `${headSeq ?? ''}:${headHash ?? ''}`;
    expect(verdictOf(exported(), head)).toMatchObject({ intact: true });
    expect(verdictOf(exported().slice(0, 3), head)).toMatchObject({ intact: false, fault: 'HEAD' });
    expect(verdictOf(exported(['{}', '{}', '{}', '{}']), head)).toMatchObject({ intact: false, fault: 'HEAD' });
    expect(verdictOf(exported(['{}', '{}', '{}', '{}', '{}']), head)).toMatchObject({ intact: false, fault: 'HEAD' });
    expect(verdictOf(exported([...DETAILS, '{}']), head)).toMatchObject({ intact: true, checked: 5 });
  });

  it('refuses what is no line of an export', () => {
    for (const line of ['', 'x', '{}', '{"a": 1', '{"seq": 1, "seq": 2}', '[1]', '{"seq": "x"}']) {
      expect(() => new AuditChain().add(line)).toThrow('no line of an audit export');
    }
    expect(() => readHead('42')).toThrow('SEQ:HASH');
    expect(rawFields('{"a": {"b": "}"}, "c": [1, 2]}').get('a')).toBe('{"b": "}"}');
  });
});
