import type { RedactionRule as Rule } from '@tempera/client-kit';
import { samplerOf } from './regex-sample.js';
import type { Random, Written } from './regex-sample.js';

/** What stands before a name may be anything; nothing is written there. */
const FRONT = /^((?:\(\?i\))?)\[\\w\.-\]\{0,50\}\?/;

/** Rules that are tried on a text only beside a word which need not be in what they match. */
const COMPANY: Readonly<Record<string, string>> = {
  'facebook-access-token': 'facebook ',
  'airtable-personnal-access-token': 'airtable ',
  'sourcegraph-access-token': 'sourcegraph ',
};

/** What a rule of whole files matches too, as a place where a template or nothing stands. */
const NO_SECRET = /\{\{|""$|''$/;

/** A text with a secret, and what must not be there afterwards. */
export interface Sample {
  readonly rule: string;
  readonly text: string;
  readonly secret: string;
}

const longestRun = (text: string): string =>
  (text.match(/[\w+/=.~@-]+/g) ?? []).reduce((longest, run) => (run.length > longest.length ? run : longest), '');

/** Writes texts that one rule's expression matches. */
export const sampleWriter = ({ id, regex }: Rule): ((random: Random) => Sample) => {
  const write = samplerOf(regex.replace(FRONT, '$1'));
  const secretOne = (random: Random): Written => {
    const written = write(random);
    return written.captured !== undefined && NO_SECRET.test(written.captured) ? secretOne(random) : written;
  };
  return (random) => {
    const { text, captured } = secretOne(random);
    // So short a group holds a piece of the secret and is not it.
    const secret = captured === undefined || captured.length < 6 ? longestRun(text) : captured;
    return { rule: id, text: `see ${COMPANY[id] ?? ''}below\n${text}\nand go on`, secret };
  };
};

const letters = (random: Random, alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const ALL = UPPER + LOWER + DIGITS;
const BASE64URL = `${ALL}-_`;

const pem = (random: Random): string => Array.from({ length: 12 }, () => letters(random, `${ALL}+/`, 64)).join('\n');

/** The kinds that are met most, as they are met: by name, how a text shows one. The secret is between the guillemets. */
const WELL_KNOWN: Readonly<Record<string, (random: Random) => string>> = {
  'an AWS key': (r) => `AWS_ACCESS_KEY_ID=«AKIA${letters(r, `${UPPER}234567`, 16)}»`,
  'an AWS secret': (r) => `aws_secret_access_key = «${letters(r, `${ALL}+/`, 40)}»`,
  'a GitHub token': (r) => `git clone https://«ghp_${letters(r, ALL, 36)}»@github.com/acme/shop`,
  'a fine-grained GitHub token': (r) => `use «github_pat_${letters(r, ALL, 22)}_${letters(r, ALL, 59)}» for CI`,
  'a GitLab token': (r) => `PRIVATE-TOKEN: «glpat-${letters(r, BASE64URL, 20)}»`,
  'a Slack token': (r) => `slack: «xoxb-${letters(r, DIGITS, 12)}-${letters(r, DIGITS, 12)}-${letters(r, ALL, 24)}»`,
  'a Stripe key': (r) => `export STRIPE_SECRET_KEY=«sk_live_${letters(r, ALL, 24)}»`,
  'an npm token': (r) => `//registry/:_authToken=«npm_${letters(r, LOWER + DIGITS, 36)}»`,
  'an Anthropic key': (r) => `ANTHROPIC_API_KEY="«sk-ant-api03-${letters(r, BASE64URL, 93)}AA»"`,
  'an OpenAI key': (r) => `OPENAI_API_KEY: «sk-proj-${letters(r, ALL, 74)}T3BlbkFJ${letters(r, ALL, 74)}»`,
  'a Google key': (r) => `key=«AIza${letters(r, BASE64URL, 35)}» in maps.js`,
  'a JWT': (r) => `jwt «ey${letters(r, ALL, 34)}.ey${letters(r, BASE64URL, 80)}.${letters(r, BASE64URL, 43)}» expired`,
  'a bearer header': (r) => `Authorization: Bearer «${letters(r, BASE64URL, 40)}»`,
  'a database address': (r) => `DATABASE_URL=postgres://shop:«${letters(r, ALL, 14)}»@db.internal:5432/shop`,
  'a redis address': (r) => `redis://:«${letters(r, ALL, 14)}»@cache:6379`,
  'a private key': (r) => `-----BEGIN RSA PRIVATE KEY-----\n«${pem(r)}»\n-----END RSA PRIVATE KEY-----`,
  'the half of a private key': (r) => `-----BEGIN OPENSSH PRIVATE KEY-----\n«${pem(r)}»`,
  'a password in a setting': (r) => `"password": "«${letters(r, BASE64URL, 17)}7»",`,
  'a key with dashes and lines': (r) => `api_key=«${letters(r, BASE64URL, 32)}»`,
  'a curl login': (r) => `curl -u "«deploy:${letters(r, ALL, 16)}»" https://ci.example.org`,
  'a token of ours': (r) => `tempera login --token «tmem_pat_${letters(r, ALL, 36)}»`,
  'a session of ours': (r) => `refreshed «tmem_rt_${letters(r, BASE64URL, 43)}»`,
  'a SendGrid key': (r) => `SENDGRID=«SG.${letters(r, BASE64URL, 22)}.${letters(r, BASE64URL, 43)}»`,
  'a Hugging Face token': (r) => `hf login «hf_${letters(r, UPPER + LOWER, 34)}»`,
  'a DigitalOcean token': (r) => `do «dop_v1_${letters(r, HEX, 64)}»`,
  'a hash as key': (r) => `datadog_api_key: «${letters(r, LOWER + DIGITS, 40)}»`,
};

/** One text of each well-known kind. */
export const wellKnownSamples = (random: Random): Sample[] =>
  Object.entries(WELL_KNOWN).map(([rule, write]) => {
    const marked = write(random);
    const secret = /«([^»]+)»/.exec(marked)?.[1] ?? '';
    return { rule, text: marked.replace(/[«»]/g, ''), secret: secret.split('\n')[0] ?? '' };
  });
