import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isEffect } from '../request/effect.js';
import { envelopeOf } from './envelope.js';
import { sendJson } from './json.answer.js';
import { ListTexts } from './list.texts.js';
import { Once } from '../request/once.js';
import { Listed } from '../request/paging.js';

/** Declared shape of an operation's answer. */
export interface DeclaredAnswer {
  status: number;
  /** The envelope's `object`. */
  object: string;
}

export const ANSWER = 'vaultline:answer';

const REPLAYED = { 'Idempotency-Replayed': 'true' };

/** The only path from a handler's return value to the response: executes effects, wraps data in the envelope, sends it. */
@Injectable()
export class Answers {
  private readonly lists = new ListTexts();

  constructor(private readonly once: Once) {}

  /** @throws whatever the effect throws */
  async send(
    request: Request,
    response: Response,
    { status, object }: DeclaredAnswer,
    result: unknown,
  ): Promise<void> {
    const envelope = (data: object): string => envelopeOf(object, data);
    try {
      if (isEffect(result)) {
        const { text, replayed } = await this.once.carryOut({ request, response }, result, envelope);
        sendJson(response, status, text, replayed ? REPLAYED : undefined);
      } else {
        const text =
          result instanceof Listed
            ? await this.lists.textOf(result as Listed<object>, request)
            : envelope(result as object);
        sendJson(response, status, text);
      }
    } finally {
      request.visit?.finish();
    }
  }
}
