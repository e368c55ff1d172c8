// What a person sees while things are fetched and started: bars on a terminal, plain lines in a log.
const PLAIN_EVERY_MS = 15_000;
const BAR_WIDTH = 24;

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

const seconds = (ms) => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`);

/** One task as one line: a bar where the size is known, else what has come and how long it took. */
export const taskLine = ({ label, done, total, elapsedMs }, wide) => {
  if (!total || !done) return `${label}${done ? `: ${megabytes(done)}` : ''} (${seconds(elapsedMs)})`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = wide ? `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ` : '';
  return `${label}: ${bar}${String(Math.round(share * 100)).padStart(3)} % of ${megabytes(total)} (${seconds(elapsedMs)})`;
};

/**
 * Lines that stay and tasks that move. On a terminal the moving ones are redrawn below the lines that stay; elsewhere
 * each task says how far it is at most every 15 seconds.
 * @param {{stream?: NodeJS.WriteStream, now?: () => number}} options
 */
export const createProgress = ({ stream = process.stdout, now = Date.now } = {}) => {
  const wide = Boolean(stream.isTTY);
  const tasks = new Set();
  let drawn = 0;
  let timer;

  const clear = () => {
    if (drawn > 0) stream.write(`\x1b[${drawn}A\x1b[0J`);
    drawn = 0;
  };
  const draw = () => {
    if (!wide) return;
    const width = (stream.columns || 100) - 1;
    for (const task of tasks) stream.write(`${`  ${taskLine(view(task), true)}`.slice(0, width)}\n`);
    drawn = tasks.size;
  };
  const view = (task) => ({ ...task, elapsedMs: now() - task.startedMs });
  const say = (line) => {
    clear();
    stream.write(`${line}\n`);
    draw();
  };
  const tick = () => {
    for (const task of tasks) task.sample?.(task);
    if (wide) {
      clear();
      draw();
      return;
    }
    for (const task of tasks) {
      if (now() - task.saidMs < PLAIN_EVERY_MS) continue;
      task.saidMs = now();
      say(`  ${taskLine(view(task), false)}`);
    }
  };

  /** Starts a task; `sample` is called before each drawing and may set `done` and `total` (bytes). */
  const start = (label, sample) => {
    const task = { label, sample, done: 0, total: 0, startedMs: now(), saidMs: now() };
    tasks.add(task);
    if (!wide) say(`  ${label} …`);
    timer ??= setInterval(tick, wide ? 150 : 500).unref();
    return task;
  };
  const end = (task) => {
    clear();
    tasks.delete(task);
    if (tasks.size === 0) timer = clearInterval(timer);
    draw();
  };

  return {
    say,
    /** Shows `label` while `work` runs. */
    during: async (label, work, sample) => {
      const task = start(label, sample);
      try {
        return await work(task);
      } finally {
        end(task);
      }
    },
  };
};
