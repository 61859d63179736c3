import type { ComponentChildren } from 'preact';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Choice, Filters, useFilters } from '../../ui/filters.js';
import { Empty, Loaded } from '../../ui/state.js';

interface OfPartnerProps {
  /** The reason for needing a partner: `a campaign belongs to a partner`. */
  what: string;
  children: (partnerId: string) => ComponentChildren;
}

/** Content for one partner, which the address names. */
export function OfPartner({ what, children }: OfPartnerProps) {
  const { query } = useFilters();
  const partners = useResource('partners', (signal) =>
    answered(api.GET('/partners', { params: { query: { limit: 500 } }, signal })),
  );
  return (
    <Loaded of={partners}>
      {({ data }) => {
        const id = query['partner_id'] ?? data[0]?.id;
        if (id === undefined)
          return (
            <Empty title="There is no partner yet.">
              <p>
                Create one under <a href="/console/administration/partners">Partners</a>: {what}.
              </p>
            </Empty>
          );
        return (
          <>
            <Filters>
              <Choice
                name="Partner"
                field="partner_id"
                options={data.map((partner) => [partner.id, partner.name])}
              />
            </Filters>
            {children(id)}
          </>
        );
      }}
    </Loaded>
  );
}
