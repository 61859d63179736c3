import { describe, expect, it } from '@jest/globals';
import { decryptKeystore } from '../../executor/src/keystore.js';

/** The test vector of the definition of web3's secret storage. */
const SECRET = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';
const PBKDF2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};
/** Of go-ethereum's test vectors: a key of 31 bytes. */
const SCRYPT = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: 'e0c41130a323adc1446fc82f724bca2f' },
    ciphertext: '9517cd5bdbe69076f9bf5057248c6c050141e970efa36ce53692d5d59a3984',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 2,
      r: 8,
      p: 1,
      salt: '711f816911c92d649fb4c84b047915679933555030b3552c1212609b38208c63',
    },
    mac: 'd5e116151c6aa71470e67a7d42c9620c75c4d23229847dcc127794f0732b0db5',
  },
  id: 'fecfc4ce-e956-48fd-953b-30f8b52ed66c',
  version: 3,
};

describe('the keystore', () => {
  it('The keystore of the definition with pbkdf2, and that of another program with scrypt, have their keys', () => {
    expect(decryptKeystore(JSON.stringify(PBKDF2), 'testpassword')).toBe(SECRET);
    expect(decryptKeystore(JSON.stringify(SCRYPT), 'foo')).toBe(
      '0x00fa7b3db73dc7dfdf8c5fbdb796d741e4488628c41fc4febd9160a866ba0f35',
    );
  });

  it('The keystore is refused with another password, after a change, or of another kind, and the message has nothing of it', () => {
    const text = JSON.stringify(PBKDF2);
    expect(() => decryptKeystore(text, 'testpasswore')).toThrow(
      'the password is wrong, or the file was changed',
    );
    expect(() => decryptKeystore(text.replace('5318b4d5', '5318b4d6'), 'testpassword')).toThrow(
      'was changed',
    );
    for (const other of [
      '{}',
      'no json',
      text.replace('aes-128-ctr', 'aes-256-ctr'),
      text.replace('"version":3', '"version":1'),
    ])
      expect(() => decryptKeystore(other, 'testpassword')).toThrow('it is no keystore of version 3');
    expect(() => decryptKeystore(text.replace('"c":262144,', ''), 'testpassword')).toThrow(
      'its kdfparams lack c',
    );
  });
});
