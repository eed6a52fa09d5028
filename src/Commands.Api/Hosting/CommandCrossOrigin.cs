using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Consistency;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>What pages of other origins may send to this API: only what customers do.</summary>
internal static class CommandCrossOrigin
{
    public static CrossOriginRules Rules { get; } = new(
        [HttpMethods.Post],
        ["Accept", "Authorization", "Content-Type", IdempotencyHeader.Name],
        ["Location", "ETag", ConsistencyToken.Header, IdempotencyHeader.Replayed, "Retry-After", "WWW-Authenticate"]);
}
