import { AppError } from '@tempera/client-kit';
import type { Request } from 'express';

/**
 * Whether a form was sent from a page of ours. Every browser names the origin of a POST; one without a name, or with
 * another, is refused before anything is read of it.
 * @throws AppError `forbidden`
 */
export const requireSameOrigin = (request: Request, publicUrl: string): void => {
  const site = request.headers['sec-fetch-site'];
  const isOurs = request.headers.origin === new URL(publicUrl).origin;
  if (isOurs && (site === undefined || site === 'same-origin')) return;
  throw new AppError(
    'forbidden',
    'foreign-origin',
    `This form works only on the pages of ${publicUrl}; open it there.`,
  );
};
