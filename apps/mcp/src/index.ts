export { runProgram } from './program.js';
export type { World } from './world.js';
