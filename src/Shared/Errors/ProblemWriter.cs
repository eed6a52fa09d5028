using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using JsonOptions = Microsoft.AspNetCore.Http.Json.JsonOptions;

namespace ApexShop.Errors;

/// <summary>
/// Writes every problem as application/problem+json. The framework's writer leaves the response without a code, or as
/// plain text, when the client does not accept JSON.
/// </summary>
public sealed class ProblemWriter(IOptions<ProblemDetailsOptions> problems, IOptions<JsonOptions> json)
    : IProblemDetailsWriter
{
    /// <summary>Registers the writer before the one of the framework.</summary>
    public static void AddTo(IServiceCollection services, Action<ProblemDetailsContext> complete)
    {
        services.AddSingleton<IProblemDetailsWriter, ProblemWriter>();
        services.AddProblemDetails(options => options.CustomizeProblemDetails = complete);
    }

    public bool CanWrite(ProblemDetailsContext context) => true;

    public ValueTask WriteAsync(ProblemDetailsContext context)
    {
        var (problem, response) = (context.ProblemDetails, context.HttpContext.Response);
        problem.Status ??= response.StatusCode;
        var usual = ProblemText.Usual(problem.Status.Value);
        problem.Type ??= usual.Type;
        problem.Title ??= usual.Title;
        problems.Value.CustomizeProblemDetails?.Invoke(context);
        // Set again: the response to an exception starts with new headers.
        response.Headers.XContentTypeOptions = "nosniff";
        var type = json.Value.SerializerOptions.GetTypeInfo(problem.GetType());
        return new(response.WriteAsJsonAsync(problem, type, "application/problem+json"));
    }
}
