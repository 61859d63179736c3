require 'openssl'

# True for a genuine, fresh delivery. raw_body holds the bytes as they came (request.raw_post), before any JSON parser.
def verify(raw_body, header, secret, tolerance_seconds = 300)
  match = /\At=([0-9]{1,12}),v1=([0-9a-f]{64})(?:,v1=([0-9a-f]{64}))?\z/.match(header.to_s)
  return false unless match

  time, *signatures = match.captures
  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{time}.".b + raw_body.b)
  fresh = (Time.now.to_f - time.to_i).abs <= tolerance_seconds
  fresh && signatures.compact.any? { |signature| OpenSSL.fixed_length_secure_compare(expected, signature) }
end
