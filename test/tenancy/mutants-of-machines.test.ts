import { describe } from 'vitest';
import { copyMutants } from './copy-mutants.js';
import { distributionMutants } from './distribution-mutants.js';
import { killMutants } from './kill-mutants.js';
import { lifeCycleMutants } from './life-cycle-mutants.js';
import { rankMutants } from './rank-mutants.js';
import { upkeepMutants } from './upkeep-mutants.js';

/** In a file of their own, so that both halves run at once. */
const machineMutants = [...copyMutants, ...distributionMutants, ...upkeepMutants, ...lifeCycleMutants, ...rankMutants];

describe('attack 1.13: mutants of what machines do', () => killMutants(machineMutants, 'machines', false));
