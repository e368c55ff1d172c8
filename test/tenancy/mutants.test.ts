import { describe } from 'vitest';
import { killMutants } from './kill-mutants.js';
import { mutants } from './mutants.js';

describe('attack 1.13: mutants of the isolation', () => killMutants(mutants, 'isolation', true));
