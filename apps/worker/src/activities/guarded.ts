import { Context } from '@temporalio/activity';
import { asFailure, type AttemptContext } from './as-failure.js';

type AttemptTools = Pick<AttemptContext, 'logger' | 'newId'>;

/** Makes activities whose errors the engine may store, and tries again as their kinds ask for. */
export const guardedBy =
  (tools: AttemptTools) =>
  <Args, Result>(work: (args: Args) => Promise<Result>) =>
  async (args: Args): Promise<Result> => {
    try {
      return await work(args);
    } catch (error) {
      throw asFailure(error, attemptContext(tools));
    }
  };

/** Where the present activity stands. */
const attemptContext = ({ logger, newId }: AttemptTools): AttemptContext => {
  const { activityType, attempt, workflowExecution } = Context.current().info;
  return { activity: activityType, attempt, workflowId: workflowExecution?.workflowId ?? '', logger, newId };
};
