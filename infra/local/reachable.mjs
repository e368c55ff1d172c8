/**
 * Whether a host answers at all. One that is refused says so at once; one that hangs is given up after `timeoutMs`.
 * @param {string} url
 */
export const isReachable = async (url, timeoutMs = 3_000) => {
  try {
    await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  }
};
