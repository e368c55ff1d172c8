/** Shared by the two sides of an encoder thread: [native calls under way, 1 when it is to stop]. */
const NATIVE = 0;
const STOP = 1;

/**
 * Ends a thread without ending the process. `terminate()` while ONNX runs leaves its C++ code with an exception nobody
 * catches, which aborts the process (measured, onnxruntime-node 1.30); so a thread is terminated only outside native code,
 * and one inside ends by itself when it comes back.
 */
export class ThreadLatch {
  private readonly cells: Int32Array;

  /** @param memory the other side's, or nothing to make one */
  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.cells = new Int32Array(memory);
  }

  /** From outside: asks it to stop. @returns whether it may be terminated at once; otherwise it will end by itself */
  stop(): boolean {
    Atomics.store(this.cells, STOP, 1);
    return Atomics.load(this.cells, NATIVE) === 0;
  }

  /** From inside: runs native code. @param exit ends the thread */
  async native<T>(work: () => Promise<T>, exit: () => void): Promise<T> {
    // First the mark, then the look: whoever stops does it the other way round, so that one of the two sees the other.
    Atomics.add(this.cells, NATIVE, 1);
    if (this.isStopped) exit();
    try {
      return await work();
    } finally {
      Atomics.sub(this.cells, NATIVE, 1);
      if (this.isStopped) exit();
    }
  }

  private get isStopped(): boolean {
    return Atomics.load(this.cells, STOP) === 1;
  }
}
