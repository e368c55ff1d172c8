import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporal } from '@temporalio/proto';
import type { WorkflowHandle } from '@temporalio/client';

const folder = fileURLToPath(new URL('../histories/', import.meta.url));
const { History } = temporal.api.history.v1;

/** Names of the recorded histories. */
export const historyNames = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();

/** A recorded history as it was written down: protobuf in protobufjs's plain form. */
export interface Recording {
  readonly workflowId: string;
  readonly history: Record<string, unknown>;
}

export const readRecording = (name: string): Recording =>
  JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as Recording;

/** A recorded history, to be replayed. */
export const historyOf = ({ history }: Recording): temporal.api.history.v1.IHistory => History.fromObject(history);

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Worker processes sign with pid and host, stack traces with folders; who recorded a history is nobody's business. */
const anonymous = (text: string): string => text.replaceAll(projectRoot, '').replace(/\d+@[\w.-]+/g, 'recorder');

/**
 * Keeps what a workflow went through, for the tests of later versions. Written as protobufjs writes objects: the SDK's own
 * JSON needs one copy of protobufjs in the tree, and npm installs several.
 */
export const recordHistory = async (name: string, handle: WorkflowHandle): Promise<void> => {
  const fetched = History.fromObject(await handle.fetchHistory());
  const history = History.toObject(fetched, { enums: String, longs: String, bytes: String });
  const recording: Recording = { workflowId: handle.workflowId, history };
  writeFileSync(`${folder}${name}.json`, `${anonymous(JSON.stringify(recording, null, 1))}\n`);
};
