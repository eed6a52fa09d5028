using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Auditing;

/// <summary>
/// GET /events/aggregates?resource&amp;bucket: the aggregates of one bucket of 500 ids with version, checksum and their last
/// event in the log, all of one moment: where a checksum differs, this tells which state differs and what is on its way.
/// </summary>
internal static class ReadAggregates
{
    public static void Map(RouteGroupBuilder events) => events.MapGet("/aggregates", Handle)
        .WithName(nameof(ReadAggregates))
        .WithMetadata(new StreamOf(typeof(AggregateCheck)))
        .Produces<AggregateCheck>(StatusCodes.Status200OK, Operation.NdJson);

    private static Task Handle(
        HttpResponse response,
        StateChecksums checksums,
        [ResourceName] string resource,
        [Range(0, int.MaxValue / StateChecksum.BucketSize)] int bucket,
        CancellationToken ct) =>
        CheckLines.WriteAsync(response, checksums.AggregatesAsync(resource, bucket, ct), OperationsJson.Default.AggregateCheck, ct);
}
