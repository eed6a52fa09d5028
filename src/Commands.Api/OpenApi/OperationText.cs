using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>An operation's words: its name in words, and what its slice's comment says after the route.</summary>
internal sealed partial class OperationText(SliceComments comments) : IOpenApiOperationTransformer
{
    public Task TransformAsync(OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        var slice = context.Description.ActionDescriptor.EndpointMetadata.OfType<MethodInfo>().Single().DeclaringType!;
        var comment = comments.Of(slice) ?? throw new InvalidOperationException($"{slice.Name} does not say what it does.");
        operation.Summary = Capital(WordStart().Replace(slice.Name, match => " " + match.Value.ToLowerInvariant()).Trim());
        operation.Description = Capital(comment[(comment.IndexOf(": ", StringComparison.Ordinal) + 2)..]);
        return Task.CompletedTask;
    }

    private static string Capital(string sentence) => char.ToUpperInvariant(sentence[0]) + sentence[1..];

    [GeneratedRegex("[A-Z]")]
    private static partial Regex WordStart();
}
