import { HangingReceivers } from '../faults/load/hanging-receivers.js';

/** Receivers in a process of their own: what they cost must not be measured. Tells their first URL, is told whether they answer, and tells at the end what they counted. */
const receivers = await HangingReceivers.open();
process.on('message', (answers: boolean | 'end') => {
  const { mostAtOnce, requests } = receivers;
  if (answers === 'end') process.send!({ mostAtOnce, requests }, () => process.exit());
  else receivers.answers = answers;
});
process.on('disconnect', () => process.exit());
process.send!({ url: receivers.url(0) });
