import type { Response } from 'express';

/** The answer of a route that takes a POST and nothing else. */
export const postOnly = (response: Response): void => {
  response.status(405).set({ allow: 'POST', 'cache-control': 'no-store' }).send();
};
