using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Auditing;

/// <summary>
/// GET /events/checksums?resource&amp;from&amp;limit: checksums of what the tables have, a line for each bucket of 500 ids that
/// is not empty, so that who keeps states from the events can compare them. Go on with the first bucket plus limit.
/// </summary>
internal static class ReadChecksums
{
    public static void Map(RouteGroupBuilder events) => events.MapGet("/checksums", Handle)
        .WithName(nameof(ReadChecksums))
        .WithMetadata(new StreamOf(typeof(BucketChecksum)))
        .Produces<BucketChecksum>(StatusCodes.Status200OK, Operation.NdJson);

    private static Task Handle(
        HttpResponse response,
        StateChecksums checksums,
        [ResourceName] string resource,
        CancellationToken ct,
        [Range(0, int.MaxValue / StateChecksum.BucketSize)] int from = 0,
        [Range(1, 200)] int limit = 40) =>
        CheckLines.WriteAsync(response, checksums.BucketsAsync(resource, from, limit, ct), OperationsJson.Default.BucketChecksum, ct);
}
