using System.Text.Json.Nodes;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>The six questions that every resource answers.</summary>
internal static class ResourceOperations
{
    public static IEnumerable<Operation> Of(ReadModel resource, StreamingOptions streaming) =>
        [.. Pages(resource, Capitalized(resource.Name)), One(resource), .. Streams(resource, streaming)];

    private static IEnumerable<Operation> Pages(ReadModel resource, string all) =>
    [
        Query(resource, "", $"List{all}V1", $"A page of {resource.Name} by its number, as the first version gave it.") with
        {
            Parameters = [.. Parameters.Page, .. Parameters.OfList(resource), Parameters.Known, Parameters.Consistency],
            Content = [(AcceptedMedia.Json, Json.Schema(EnvelopeSchemas.FirstPageOf(resource)))],
            Headers = [.. AnswerHeaders.FirstVersion, .. AnswerHeaders.Rate],
            IsDeprecated = true,
        },
        Query(resource, "/v2", $"List{all}V2", $"A page of {resource.Name} by its number, with totals.") with
        {
            Parameters = [.. Parameters.Page, .. Parameters.OfList(resource), Parameters.Known, Parameters.Consistency],
            Content = [(AcceptedMedia.Json, Json.Schema(EnvelopeSchemas.PageOf(resource)))],
            Headers = [.. AnswerHeaders.Page, .. AnswerHeaders.Rate],
        },
        Query(resource, "/cursor", $"List{all}After", $"The page of {resource.Name} behind or before a place in the list.", 410) with
        {
            Parameters = [.. Parameters.Places, .. Parameters.OfList(resource), Parameters.Known, Parameters.Consistency],
            Content = [(AcceptedMedia.Json, Json.Schema(EnvelopeSchemas.SliceOf(resource)))],
            Headers = [.. AnswerHeaders.Page, .. AnswerHeaders.Rate],
        },
    ];

    private static Operation One(ReadModel resource) => Query(resource, "/{id}", $"Get{DocumentSchemas.NameOf(resource)}", $"One {resource.Singular}.", 404) with
    {
        Parameters = [Parameters.Id, Parameters.Known, Parameters.Consistency],
        Content = [(AcceptedMedia.Json, Json.Schema(DocumentSchemas.NameOf(resource)))],
        Headers = [.. AnswerHeaders.Document, .. AnswerHeaders.Rate],
    };

    private static IEnumerable<Operation> Streams(ReadModel resource, StreamingOptions streaming)
    {
        var (all, one) = (Capitalized(resource.Name), DocumentSchemas.NameOf(resource));
        return
        [
            Query(resource, "/stream", $"Stream{all}", $"All {resource.Name} of a list, as they are read, in the form that Accept asks for.") with
            {
                Parameters = [Parameters.Limit(streaming.MaxDocuments), .. Parameters.OfList(resource), Parameters.Consistency],
                Content = Forms(one),
                Headers = [.. AnswerHeaders.Stream, .. AnswerHeaders.Rate],
            },
            Query(resource, "/export/ndjson", $"Export{all}", Exported(resource)) with
            {
                Parameters = [Parameters.Limit(streaming.MaxExported), Parameters.ResumeAfter, .. Parameters.OfList(resource), Parameters.Consistency],
                Content = [(StreamFormat.NdJson.MediaType, Json.Schema(one))],
                Headers = [.. AnswerHeaders.Export, .. AnswerHeaders.Rate],
            },
        ];
    }

    private static Operation Query(ReadModel resource, string path, string name, string summary, params int[] refusals) =>
        new($"/{resource.Name}{path}", name, resource.Name, summary)
        {
            Scope = resource.Scope,
            Refusals = Refused(resource, refusals),
        };

    private static IEnumerable<int> Refused(ReadModel resource, int[] own)
    {
        int[] access = resource.Scope is null ? [] : [401, 403];
        return ((int[])[400, .. access, 406, .. own, 429, 500, 503]).Order();
    }

    private static string Exported(ReadModel resource) =>
        $"All {resource.Name} of a list as a file of lines. One that broke off ends with a line whose only member is error, which says where to go on.";

    private static List<(string, JsonObject)> Forms(string document) =>
    [
        (AcceptedMedia.Json, new JsonObject { ["type"] = "array", ["items"] = Json.Schema(document) }),
        (StreamFormat.NdJson.MediaType, Json.Schema(document)),
        (StreamFormat.MessagePack.MediaType, new JsonObject { ["description"] = $"{document} as a MessagePack map, one behind the other." }),
    ];

    private static string Capitalized(string word) => char.ToUpperInvariant(word[0]) + word[1..];
}
