import { type Match, matchOdds, relevance as relevanceOf } from '@tempera/core';
import { describe, expect, it } from 'vitest';
import { ENCODER_NAMES, encoderIdOf, parseEncoderCard } from './encoder-card.js';
import { ENCODER_CARDS } from './encoder-catalogue.js';
import { calibrationOf, minimumRelevance } from './relevance.js';

describe.each(ENCODER_NAMES.map((name) => ENCODER_CARDS[name]))('the card of $name', (card) => {
  it('has thresholds in the order of what they mean', () => {
    const { candidate, edge, cluster, merge, tau, likeQuestion } = card.thresholds;
    expect(card.medianUnrelated).toBeLessThan(candidate.cosine);
    expect(edge.cosine).toBeLessThan(cluster.cosine);
    expect(cluster.cosine).toBeLessThan(merge.cosine);
    expect(tau.cosine).toBeLessThan(likeQuestion.cosine);
  });

  const relevance = (match: Match): number => relevanceOf(matchOdds(match, calibrationOf(card)));

  it('makes relevance rise with nearness and with words', () => {
    const far = relevance({ cosine: 0.4, keyword: 0 });
    expect(relevance({ cosine: 0.7, keyword: 0 })).toBeGreaterThan(far);
    expect(relevance({ cosine: 0.4, keyword: 1 })).toBeGreaterThan(far);
  });

  it('takes a memory without a vector for an unrelated one that its words can bring up', () => {
    const unknown = relevance({ cosine: null, keyword: 0 });
    expect(unknown).toBe(relevance({ cosine: card.medianUnrelated, keyword: 0 }));
    expect(unknown).toBeLessThan(minimumRelevance(card));
    expect(relevance({ cosine: null, keyword: 1 })).toBeGreaterThan(minimumRelevance(card));
  });

  it('refuses what is missing or unknown', () => {
    const { weightsSha256: _, ...withoutDigest } = card;
    expect(() => parseEncoderCard(withoutDigest)).toThrow();
    expect(() => parseEncoderCard({ ...card, extra: 1 })).toThrow();
  });

  it('names two quantisations of one model differently', () => {
    expect(encoderIdOf(card, '0'.repeat(64))).not.toBe(encoderIdOf(card));
    expect(encoderIdOf(card)).toBe(`${card.name}@${card.weightsSha256.slice(0, 12)}`);
  });
});
