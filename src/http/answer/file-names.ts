import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { PartnerService } from '../../domain/tenants/partners/partner.service.js';

const PERIOD = /^\d{4}(-\d\d){0,2}$/;
const ID = /^[a-z]+_\w+$/;
/** Characters of a partner's name in a file's, and of the whole without its ending. */
const MAX_PARTNER = 40;
const MAX_NAME = 160;

/** Letters without accents, digits and hyphens: characters that mean nothing to any file system, shell or header. */
const slug = (text: string, maximum: number): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maximum)
    .replace(/-$/, '');

/** Names of files that requests download: of whom, of what, of when. `vaultline-acme-wallet-statement-2026-09.csv` */
@Injectable()
export class FileNames {
  constructor(
    private readonly partners: PartnerService,
    private readonly settings: Settings,
  ) {}

  /** Value of `Content-Disposition`. */
  async dispositionOf(request: Request, ending: string): Promise<string> {
    const name = slug(['vaultline', await this.ownerOf(request), ...partsOf(request)].join('-'), MAX_NAME);
    return `attachment; filename="${name}.${ending}"`;
  }

  /** Of a name without a letter that fits, the partner's id. */
  private async ownerOf({ caller }: Request): Promise<string> {
    if (caller!.partnerId === null) return this.settings.environment;
    const { id, name } = await this.partners.get(caller!.partnerId);
    return slug(name, MAX_PARTNER) || id;
  }
}

/** Words of the path, in the singular where something of theirs follows, and the period of the path or the query. */
function partsOf({ path, query }: Request): string[] {
  const segments = path.split('/').slice(3);
  const words = segments.flatMap((segment, index) => {
    if (PERIOD.test(segment) || (index === 0 && ['partner', 'analytics'].includes(segment))) return [];
    const isLast = index === segments.length - 1;
    return ID.test(segment) || isLast ? [segment] : [segment.replace(/s$/, '')];
  });
  const days = ['from', 'to', 'as_of'].flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' ? [value.slice(0, 10)] : [];
  });
  return [...words, ...segments.filter((segment) => PERIOD.test(segment)), ...days];
}
