import { AppError } from '@tempera/client-kit';
import { deadlinePassed } from './deadline.js';

/** Someone waits for a question; a text can also be embedded a moment later. */
export type Urgency = 'question' | 'text';

interface Job {
  /** Runs the work, or does nothing when its caller has been told already. */
  start(): Promise<void>;
}

/** After this many questions in a row a waiting text goes first, so that a flood of questions cannot starve captures. */
const QUESTIONS_PER_TEXT = 4;

/** One piece of work at a time, questions before texts, at most `capacity` waiting, none longer than its deadline. */
export class WorkQueue {
  private readonly waiting: Record<Urgency, Job[]> = { question: [], text: [] };
  private questionsInARow = 0;
  private isBusy = false;

  constructor(private readonly capacity: number) {}

  get length(): number {
    return this.waiting.question.length + this.waiting.text.length;
  }

  /**
   * @param deadlineMs from now; waiting and working count. Work that began is not interrupted, but its caller is told.
   * @throws AppError `unavailable`: encoder-busy (queue full) or encoder-deadline
   */
  run<T>(urgency: Urgency, deadlineMs: number, work: () => Promise<T>): Promise<T> {
    if (this.length >= this.capacity) {
      return Promise.reject(
        new AppError('unavailable', 'encoder-busy', `The encoder has ${this.length} texts waiting already.`),
      );
    }
    return new Promise<T>((resolve, reject) => {
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        reject(deadlinePassed(deadlineMs));
      }, deadlineMs);
      const start = async (): Promise<void> => {
        if (isOver) return;
        await work().then(resolve, reject);
        clearTimeout(timer);
      };
      this.waiting[urgency].push({ start });
      void this.drain();
    });
  }

  private async drain(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (let job = this.next(); job; job = this.next()) {
      await job.start();
      // The work is synchronous native code: without this turn of the event loop nothing else of the process would run.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.isBusy = false;
  }

  private next(): Job | undefined {
    const { question, text } = this.waiting;
    const isTextsTurn = text.length > 0 && (question.length === 0 || this.questionsInARow >= QUESTIONS_PER_TEXT);
    this.questionsInARow = isTextsTurn ? 0 : this.questionsInARow + 1;
    return isTextsTurn ? text.shift() : question.shift();
  }
}
