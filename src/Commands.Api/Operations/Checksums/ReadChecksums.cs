using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Events;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Operations.Checksums;

/// <summary>
/// GET /events/checksums?resource&amp;from&amp;limit: checksums of the rows in the tables, one line for each bucket of
/// 500 ids that is not empty, so that a consumer of the events can verify its own states. The next page starts at the
/// first bucket plus limit. The key also needs the resource's read scope.
/// </summary>
internal static class ReadChecksums
{
    public static void Map(RouteGroupBuilder events) => events.MapGet("/checksums", Handle)
        .WithName(nameof(ReadChecksums))
        .WithMetadata(new NdJsonMetadata(typeof(BucketChecksum)))
        .Produces<BucketChecksum>(StatusCodes.Status200OK, NdJson.ContentType);

    private static async Task Handle(
        HttpContext http,
        StateChecksums checksums,
        [ResourceName] string resource,
        CancellationToken ct,
        [Range(0, int.MaxValue / StateChecksum.BucketSize)] int from = 0,
        [Range(1, 200)] int limit = 40)
    {
        // With a checksum a guess of a state could be verified.
        if (EventScopes.Refusal(http.User, Resource.Of(resource)) is { } closed)
        {
            await CommandResponses.ToHttp(closed).ExecuteAsync(http);
            return;
        }

        var buckets = await checksums.BucketsAsync(resource, from, limit, ct);
        await NdJson.WriteAsync(http.Response, buckets, OperationsJson.Default.BucketChecksum, ct);
    }
}
