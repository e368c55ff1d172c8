#!/usr/bin/env node
// Lets the library fetch a model from the hub: hub-download.mjs <repository> <cache folder> [host]
// The files end up in <cache folder>/<repository>.
import { AutoModel, AutoTokenizer, env } from '@huggingface/transformers';

const [repository, folder, host] = process.argv.slice(2);
if (host) env.remoteHost = host;
await AutoTokenizer.from_pretrained(repository, { cache_dir: folder });
const model = await AutoModel.from_pretrained(repository, { cache_dir: folder, dtype: 'q8', device: 'cpu' });
await model.dispose();
