#!/usr/bin/env node
// A file that is there before the first build, so that npm links the command when it installs.
import '../dist/cli.js';
