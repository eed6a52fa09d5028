using System.Reflection;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Commands;
using ApexShop.Json;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// The body of a bulk command of any length. Its first chunk is read before the endpoint runs, so that a body that is
/// empty, not a list or unreadable at its start gets a problem response.
/// </summary>
internal sealed class BulkStream<T> : IBindableFromHttpContext<BulkStream<T>>, IEndpointParameterMetadataProvider
{
    private readonly Problem? problem;
    private readonly ChunkReader<T>? reader;
    private ItemChunk<T>? next;

    private BulkStream(ChunkReader<T>? reader, ItemChunk<T>? first, Problem? problem) =>
        (this.reader, next, this.problem) = (reader, first, problem);

    public static async ValueTask<BulkStream<T>?> BindAsync(HttpContext context, ParameterInfo parameter)
    {
        if (!ItemFormat.TryRead<T>(context, out var items)) return new(null, null, BulkProblems.UnknownType);
        // A sender may wait for the response to a chunk before it sends the next; ItemReader limits the time without
        // data.
        if (context.Features.Get<IHttpMinRequestBodyDataRateFeature>() is { } rate) rate.MinDataRate = null;
        var reader = new ChunkReader<T>(items, context);
        var first = await reader.NextAsync();
        var problem = first switch
        {
            null => BulkProblems.Empty,
            { IsLast: true } => first.Problem,
            _ => null,
        };
        return new(reader, first, problem);
    }

    public static void PopulateMetadata(ParameterInfo parameter, EndpointBuilder builder)
    {
        _ = new ItemValidator<T>(builder.ApplicationServices);
        builder.Metadata.Add(new AcceptsMetadata([ItemFormat.Array, MediaTypes.NdJson], typeof(T[])));
        builder.Metadata.Add(new RequestSizeLimitAttribute(LimitOptions.StreamBytes));
        builder.FilterFactories.Add((_, following) => async call =>
            call.Arguments.OfType<BulkStream<T>>().Single().problem is { } problem
                ? CommandResponses.ToHttp(problem)
                : await following(call));
    }

    /// <summary>The chunks; each is read when the enumeration reaches it.</summary>
    public async IAsyncEnumerable<ItemChunk<T>> ChunksAsync()
    {
        for (; next is not null; next = await reader!.NextAsync())
        {
            yield return next;
            if (next.IsLast) yield break;
        }
    }
}
