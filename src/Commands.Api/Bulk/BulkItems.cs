using System.Reflection;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Commands;
using ApexShop.Json;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// The body of a bulk command: a list of valid items, read from a JSON array or from NDJSON. If the list cannot be read
/// or is not valid, an endpoint filter, which the parameter adds, sends the problem and the endpoint does not run.
/// </summary>
internal sealed class BulkItems<T> : IBindableFromHttpContext<BulkItems<T>>, IEndpointParameterMetadataProvider
{
    private readonly Problem? problem;

    private BulkItems(IReadOnlyList<T> items, Problem? problem) => (Items, this.problem) = (items, problem);

    public IReadOnlyList<T> Items { get; }

    public static async ValueTask<BulkItems<T>?> BindAsync(HttpContext context, ParameterInfo parameter)
    {
        if (!ItemFormat.TryRead<T>(context, out var reader)) return new([], BulkProblems.UnknownType);
        var limit = context.RequestServices.GetRequiredService<IOptions<LimitOptions>>().Value.BulkItems;
        var (items, errors) = (new List<T>(), new ItemErrors());
        var validator = new ItemValidator<T>(context.RequestServices);
        while (!errors.Full && await reader.NextAsync(context.RequestAborted))
        {
            if (reader.Index >= limit) return new([], BulkProblems.TooMany(limit));
            if (reader.Error is { } error) errors.Add(error.Key, error.Value);
            else await validator.CheckAsync(reader.Item!, reader.Index, errors, context.RequestAborted);
            items.Add(reader.Item!);
        }

        if (reader.Problem is { } unreadable) return new([], unreadable);
        if (errors.Any) return new([], errors.ToProblem());
        return items.Count == 0 ? new([], BulkProblems.Empty) : new(items, null);
    }

    public static void PopulateMetadata(ParameterInfo parameter, EndpointBuilder builder)
    {
        _ = new ItemValidator<T>(builder.ApplicationServices);
        builder.Metadata.Add(new AcceptsMetadata([ItemFormat.Array, MediaTypes.NdJson], typeof(T[])));
        builder.FilterFactories.Add((_, next) => async call =>
            call.Arguments.OfType<BulkItems<T>>().Single().problem is { } problem
                ? CommandResponses.ToHttp(problem)
                : await next(call));
    }
}
