using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>An operation's words: its name in words, and what its slice's comment says after the route.</summary>
internal sealed partial class OperationText(SliceComments comments) : IOpenApiOperationTransformer
{
    public Task TransformAsync(OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        var metadata = context.Description.ActionDescriptor.EndpointMetadata;
        var name = metadata.OfType<IEndpointNameMetadata>().Last().EndpointName;
        operation.Summary = Capital(WordStart().Replace(name, match => " " + match.Value.ToLowerInvariant()).Trim());
        operation.Description = metadata.OfType<IEndpointDescriptionMetadata>().LastOrDefault()?.Description
            ?? OfSlice(metadata.OfType<MethodInfo>().Single().DeclaringType!);
        return Task.CompletedTask;
    }

    private string OfSlice(Type slice)
    {
        var comment = comments.Of(slice) ?? throw new InvalidOperationException($"{slice.Name} has no summary.");
        return Capital(comment[(comment.IndexOf(": ", StringComparison.Ordinal) + 2)..]);
    }

    private static string Capital(string sentence) => char.ToUpperInvariant(sentence[0]) + sentence[1..];

    [GeneratedRegex("[A-Z]")]
    private static partial Regex WordStart();
}
