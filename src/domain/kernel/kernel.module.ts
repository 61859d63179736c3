import { Module } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Catalogue } from './catalogue/catalogue.js';
import { Clock } from './clock.js';
import { Readiness } from './deployment/readiness.js';
import { Replicas } from './deployment/replicas.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { Meter } from './meter.js';
import { SecretsCheck } from './secrets/secrets-check.js';
import { SecretsRotation } from './secrets/secrets-rotation.js';
import { Slices } from './slices.js';
import { Cipher } from './store/cipher.js';
import { StorageLimit } from './store/storage-limit.js';
import { StorageWatch } from './store/storage-watch.js';
import { Store } from './store/store.js';
import { Trace } from './trace.js';

const OFFERED = [
  Catalogue,
  Clock,
  IdempotencyService,
  Meter,
  Readiness,
  Replicas,
  SecretsCheck,
  SecretsRotation,
  Slices,
  StorageLimit,
  StorageWatch,
  Store,
  Trace,
];

/** Clock, ids, money and rates, errors, the store, the catalogue: used by every other module. */
@Module({
  providers: [
    ...OFFERED,
    {
      provide: Cipher,
      inject: [Settings],
      useFactory: (settings: Settings) => new Cipher(settings.secretsKey, settings.secretsKeyPrevious),
    },
  ],
  exports: [...OFFERED, Cipher],
})
export class KernelModule {}
