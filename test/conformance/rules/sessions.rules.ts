import { dataOf, equals, made, refused } from '../check.js';
import { rulesOf } from '../rule.js';

export const sessionsRules = rulesOf('sessions', {
  used: [
    'A session reads with its scopes for the partner of its key, shows itself, and is refused once signed out.',
    async (stage) => {
      const { id, caller } = await stage.partner();
      const answer = await caller.post('/sessions', { scopes: ['partner:read'] });
      const { secret, ...session } = dataOf(answer, 201);
      equals('whose it is', [session.partner_id, session.scopes], [id, ['partner:read']], answer);
      const holder = caller.as('session', secret);
      const current = await holder.get('/sessions/current');
      equals('who is signed in', dataOf(current, 200), session, current);
      dataOf(await holder.get('/partner/summary'), 200);
      const ended = await holder.delete('/sessions/current');
      equals('the end', dataOf(ended, 200), { id: session.id, object: 'session', ended: true }, ended);
      refused(await holder.get('/partner/summary'), 401, 'invalid_api_key');
      made(await caller.get('/partner/summary'));
    },
  ],
});
