// Ports on the loopback interface.
import { createServer, connect } from 'node:net';
import { SettingError } from './setting-error.mjs';

const LOOPBACK = '127.0.0.1';

const listenOnce = (port, host) =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });

/** A port nobody listens on at this moment, `preferred` if it is free. */
export const freePort = async (preferred) => {
  if (preferred) {
    try {
      return await listenOnce(preferred, LOOPBACK);
    } catch {
      // Taken since the last start: any other will do.
    }
  }
  return listenOnce(0, LOOPBACK);
};

const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT']);

/**
 * Throws an error that names `setting` when `port` is taken or may not be opened, and `hostSetting` when `host` is no
 * address of this machine.
 */
export const requireFreePort = async (port, setting, host = LOOPBACK, hostSetting = undefined) => {
  try {
    await listenOnce(port, host);
  } catch (error) {
    // The address, not the port, is at fault where this machine has no such address.
    if (NO_ADDRESS.has(error.code) && hostSetting) {
      throw new SettingError(
        `"${host}" is no address of this machine (${error.code}).`,
        hostSetting,
        `Set ${hostSetting} to 127.0.0.1 (this machine alone), 0.0.0.0 (every address) or one of its own.`,
      );
    }
    const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${error.code})`;
    throw new SettingError(`Port ${port} on ${host} ${why}.`, setting, `Set ${setting} to a free port.`);
  }
};

/**
 * Whether something accepts connections there.
 * @param {{port: number, host?: string} | {path: string}} address a port of the loopback interface, or a Unix socket
 */
export const accepts = (address, timeoutMs = 1_000) =>
  new Promise((resolve) => {
    const socket = connect({ ...('path' in address ? {} : { host: LOOPBACK }), ...address, timeout: timeoutMs });
    const answer = (is) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => answer(true));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });

/** A port number from a setting's text. */
export const parsePort = (text, setting) => {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new SettingError(`"${text}" is no port number.`, setting, `Set ${setting} to a number from 1 to 65535.`);
  }
  return port;
};
