import type { Campaign } from '../../domain/tenants/partners/campaign.service.js';
import { ACTIVE_OR_DISABLED, type ActiveOrDisabled } from '../../domain/tenants/partners/partner.entity.js';
import {
  AssetField,
  ChoiceField,
  HundredthsField,
  TextField,
  TimestampField,
} from '../../http/request/fields.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { MetadataField } from '../../http/request/free-object-fields.js';

const NAME = { description: 'Name of the campaign.', max: 120, example: 'Winter double' };
const ASSET = {
  description: 'Only deposits of this asset; null or absent: every asset.',
  optional: true,
  nullable: true,
};
const MULTIPLIER = {
  description: 'Multiplier of points while the campaign runs, 1 to 10, at most two decimals.',
  min: 1,
  max: 10,
  optional: true,
  example: 1.5,
};
const STARTS = {
  description: 'When the campaign begins. UTC.',
  optional: true,
  example: '2026-12-01T00:00:00.000Z',
};
const ENDS = {
  description: 'When it ends, after its start; null: open end. UTC.',
  optional: true,
  nullable: true,
  example: '2027-01-01T00:00:00.000Z',
};
const METADATA = { description: 'Your own notes.' };

export class CreateCampaignInputDto {
  @TextField(NAME) name: string;
  @AssetField(ASSET) asset?: string | null;
  @HundredthsField({ ...MULTIPLIER, default: 1 }) points_multiplier?: number;
  @TimestampField({ ...STARTS, description: `${STARTS.description} Default: now.` }) starts_at?: string;
  @TimestampField(ENDS) ends_at?: string | null;
  @MetadataField({ ...METADATA, default: {} }) metadata?: object;
}

export class UpdateCampaignInputDto {
  @TextField({ ...NAME, optional: true }) name?: string;
  @AssetField(ASSET) asset?: string | null;
  @HundredthsField(MULTIPLIER) points_multiplier?: number;
  @TimestampField(STARTS) starts_at?: string;
  @TimestampField(ENDS) ends_at?: string | null;
  @MetadataField({ description: `${METADATA.description} Replaces the stored notes.` })
  metadata?: object;
  @ChoiceField({
    description: 'A disabled campaign multiplies no points; its record stays.',
    of: ACTIVE_OR_DISABLED,
    optional: true,
  })
  status?: ActiveOrDisabled;
}

export class CampaignDto {
  @Shown.id('cmp') id: string;
  @Shown.kind('campaign') object: 'campaign';
  @Shown.id('ptn', 'Partner that runs it.') partner_id: string;
  @Shown.text('Name of the campaign.', 'Winter double') name: string;
  @Shown.choice(ACTIVE_OR_DISABLED, 'Whether it multiplies points while it runs.', 'active')
  status: (typeof ACTIVE_OR_DISABLED)[number];
  @ShownOrNull.asset('Its only asset; null: every asset.') asset: string | null;
  @Shown.number('Multiplier of points, 1 to 10, two decimals.', 1.5) points_multiplier: number;
  @Shown.time('When it begins.') starts_at: string;
  @ShownOrNull.time('When it ends; null for an open end.', { example: null }) ends_at: string | null;
  @Shown.metadata('Notes of the administrator.') metadata: object;
  @Shown.time() created_at: string;
  @Shown.time('When the campaign was last changed.') updated_at: string;
}

export const campaignView = viewOf(CampaignDto, ({ multiplierHundredths }: Campaign) => ({
  points_multiplier: multiplierHundredths / 100,
}));
