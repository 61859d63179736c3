import { HangingReceivers } from '../faults/load/hanging-receivers.js';

/** Receivers in a process of their own: what they cost must not be measured. Tells their first URL, and at the end what they counted. */
const receivers = await HangingReceivers.open();
process.on('message', () => {
  const { mostAtOnce, requests } = receivers;
  process.send!({ mostAtOnce, requests }, () => process.exit());
});
process.on('disconnect', () => process.exit());
process.send!({ url: receivers.url(0) });
