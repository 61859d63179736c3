import { HangingReceivers } from '../faults/load/hanging-receivers.js';

/**
 * Receivers of webhooks in a process of their own, so that their CPU time is not measured. The process reports the URL of the first receiver, is told
 * whether the receivers answer, and reports at the end how many requests it counted.
 */
const receivers = await HangingReceivers.open();
process.on('message', (answers: boolean | 'end') => {
  const { mostAtOnce, requests } = receivers;
  if (answers === 'end') process.send!({ mostAtOnce, requests }, () => process.exit());
  else receivers.answers = answers;
});
process.on('disconnect', () => process.exit());
process.send!({ url: receivers.url(0) });
