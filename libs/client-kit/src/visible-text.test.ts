import { expect, it } from 'vitest';
import { isVisible, turnsDirection } from './visible-text.js';

it('calls visible what a person sees, and nothing else', () => {
  const blank = [
    '',
    ' \n\t',
    '\u200b',
    '\ufeff\u2060',
    '\u00ad',
    '\u3164\u115f',
    '\u202e\u2066',
    '\u{e0041}',
    '\ufe0f\u2800',
  ];
  expect(blank.filter(isVisible)).toEqual([]);
  const seen = ['a', '\u200bа', '维护', '.', '👩\u200d🚀', 'ی\u200cها', '0', '\u0301'];
  expect(seen.filter((text) => !isVisible(text))).toEqual([]);
});

it('knows what turns the direction of a line; right-to-left letters do not', () => {
  expect(['\u202eBen', 'B\u2066en', 'Ben\u200f', '\u061c'].filter((text) => !turnsDirection(text))).toEqual([]);
  expect(['Ben', 'דני', 'عمر', 'ی\u200cها', '👩\u200d🚀'].filter(turnsDirection)).toEqual([]);
});
