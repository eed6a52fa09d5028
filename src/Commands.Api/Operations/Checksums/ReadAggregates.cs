using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Events;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Operations.Checksums;

/// <summary>
/// GET /events/aggregates?resource&amp;bucket: the aggregates of one bucket of 500 ids, each with its version, its
/// checksum and its last event in the log, from one database snapshot. Where a bucket's checksum differs, this
/// identifies the states that differ and those with events still on the way. The key also needs the resource's read
/// scope.
/// </summary>
internal static class ReadAggregates
{
    public static void Map(RouteGroupBuilder events) => events.MapGet("/aggregates", Handle)
        .WithName(nameof(ReadAggregates))
        .WithMetadata(new NdJsonMetadata(typeof(AggregateCheck)))
        .Produces<AggregateCheck>(StatusCodes.Status200OK, NdJson.ContentType);

    private static async Task Handle(
        HttpContext http,
        StateChecksums checksums,
        [ResourceName] string resource,
        [Range(0, int.MaxValue / StateChecksum.BucketSize)] int bucket,
        CancellationToken ct)
    {
        if (EventScopes.Refusal(http.User, Resource.Of(resource)) is { } closed)
        {
            await CommandResponses.ToHttp(closed).ExecuteAsync(http);
            return;
        }

        var aggregates = await checksums.AggregatesAsync(resource, bucket, ct);
        await NdJson.WriteAsync(http.Response, aggregates, OperationsJson.Default.AggregateCheck, ct);
    }
}
